# SPDX-License-Identifier: GPL-2.0-or-later
# The heart of all scenarios in three boots: an audit changes nothing, an unconfirmed change goes back by a power
# failure, `locked` lasts over a reboot and is taken back.
# shellcheck shell=bash disable=SC2034,SC2154 # from and for lib.bash and run

# shellcheck source=tests/vm/scenarios/readonly.bash
source "$here/scenarios/readonly.bash"
# shellcheck source=tests/vm/scenarios/unconfirmed.bash
source "$here/scenarios/unconfirmed.bash"

phase_1() {
  audit_changes_nothing
  take_state "$keep/before"
  apply_unconfirmed 3600
  locked_is_in_force "unconfirmed"
  end_by=power-failure
}

phase_2() {
  the_service_did_it "after a power failure" "not confirmed in time"
  went_back "after a power failure"
  check_exit 2 "apply --profile locked" apply_locked
  end_by=shutdown
}

phase_3() {
  audit_locked "$keep/boot.json"
  check "after the reboot the audit passes what was mended" all_pass "$keep/boot.json" "${mended[@]}"
  locked_is_in_force "after the reboot"
  check_exit 0 "rollback" gpuharden rollback --yes
  take_state "$keep/now"
  compare "after rollback" "$keep/before" "$keep/now" files devices mounts audit filter settings units
  nothing_is_in_force "after rollback"
}
unset -f phase_4
