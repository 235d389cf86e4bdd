# SPDX-License-Identifier: GPL-2.0-or-later
# `locked` is applied, lasts over a reboot, and is taken back.
# shellcheck shell=bash disable=SC2154 # from lib.bash

phase_1() {
  take_state "$keep/before"
  check "before: a stranger gets to the model server" stranger_gets_in 8000
  check "before: and to Ollama" stranger_gets_in 11434
  # Much of `locked` is for a person to mend, so that something still fails; 4 without those.
  apply_locked >"$keep/apply"
  check "apply --profile locked (exit 2)" test $? -eq 2
  cat "$keep/apply"
  check "what is to be mended was found" all_found "$keep/apply" "${mended[@]}"
  gpuharden history
  audit_locked "$keep/after.json"
  check "the audit passes what was mended" all_pass "$keep/after.json" "${mended[@]}"
  locked_is_in_force "after apply"
  people_get_in
  check "a second apply changes nothing" prints '"changes": \[\]' gpuharden plan --profile locked "${risks[@]}" --format json
}

all_found() {
  local rule bad=0
  for rule in "${@:2}"; do grep -q "^$rule   " "$1" || { echo "$rule is not in the plan" && bad=1; }; done
  return "$bad"
}

phase_2() {
  audit_locked "$keep/boot.json"
  check "after the reboot the audit still passes what was mended" all_pass "$keep/boot.json" "${mended[@]}"
  locked_is_in_force "after the reboot"
  people_get_in
  check "nothing is to be taken back" prints '^1 transaction is in force' gpuharden status
  touch /etc/profile.d/new.sh && rm /etc/profile.d/new.sh
  sleep 1
  check "a change of /etc/profile.d is recorded" prints 'gpuharden-profiles' ausearch --input-logs -k gpuharden-profiles
  check_exit 0 "rollback" gpuharden rollback --yes
  take_state "$keep/rolled"
  # Modules of the packet filter stay loaded, and the rules for the boot are made at the boot.
  compare "after rollback" "$keep/before" "$keep/rolled" files devices mounts audit filter settings units
  nothing_is_in_force "after rollback"
}

phase_3() {
  take_state "$keep/end"
  compare "after rollback and a reboot" "$keep/before" "$keep/end" "${all_parts[@]}"
  nothing_is_in_force "after rollback and a reboot"
}
