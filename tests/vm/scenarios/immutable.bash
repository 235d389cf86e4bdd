# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel whose audit rules are locked (auditctl -e 2) takes new ones at the next boot only: pending, never passed.
# shellcheck shell=bash disable=SC2154 # from lib.bash

rules=(audit.account-files audit.environment-files audit.module-loading audit.shell-profiles audit.unit-folders)
only_rules=(--check audit.account-files --check audit.environment-files --check audit.module-loading
  --check audit.shell-profiles --check audit.unit-folders)
is_locked() { prints '^enabled 2$' auditctl -s; }

phase_1() {
  echo '-e 2' >/etc/audit/rules.d/99-finalize.rules
  chmod 0640 /etc/audit/rules.d/99-finalize.rules
  augenrules --load
  check "the kernel's audit rules are locked" is_locked
  take_state "$keep/before"
  apply_locked "${only_rules[@]}" >"$keep/apply"
  check "apply says that a reboot is pending (exit 4)" test $? -eq 4
  cat "$keep/apply"
  local rule
  for rule in "${rules[@]}"; do
    check "$rule is pending" grep -qE "^pending: $rule: .*locked" "$keep/apply"
    check "$rule is not said to pass" fails grep -qE "^passes now: $rule" "$keep/apply"
  done
  check "the kernel has none of the rules" fails prints gpuharden auditctl -l
  gpuharden audit --profile locked "${only_rules[@]}" --format json --output "$keep/now.json"
  check "an audit does not pass them either" no_pass "$keep/now.json"
}

no_pass() {
  local rule
  for rule in "${rules[@]}"; do
    [[ $(outcome_of "$rule" "$1") == fail ]] || { echo "$rule: $(outcome_of "$rule" "$1")" && return 1; }
  done
}

phase_2() {
  check "after the reboot the rules are locked" is_locked
  check "after the reboot the rules are in the kernel" prints gpuharden-modules auditctl -l
  check_exit 0 "an audit passes them" gpuharden audit --profile locked "${only_rules[@]}" --format json --output "$keep/boot.json"
  check "each of them" all_pass "$keep/boot.json" "${rules[@]}"
  check_exit 4 "rollback, which cannot reach the kernel" gpuharden rollback --yes
}

phase_3() {
  check "after the next reboot the rules are locked" is_locked
  take_state "$keep/end"
  compare "after rollback and a reboot" "$keep/before" "$keep/end" files boot_rules devices mounts audit filter settings units
}
