# SPDX-License-Identifier: GPL-2.0-or-later
# What nobody confirms goes back: by gpuharden-recover.service after a reboot and after a power failure, and at the
# deadline without either. What somebody confirms who got in afterwards stays.
# shellcheck shell=bash disable=SC2034,SC2154 # from and for lib.bash and run

not_all_of_it_passes=2
# Seconds in which a slow guest can look at what is in force.
window=120

apply_unconfirmed() { check_exit "$not_all_of_it_passes" "apply with $1 seconds to confirm it" apply_locked --confirm-within "$1"; }

# The machine is as before the change, and people get in.
went_back() {
  local why=$1
  check "$why: sshd answers" stranger_gets_in 22
  people_get_in
  check "$why: nothing is in force" prints '^0 transactions are in force' gpuharden status
  check "$why: nothing waits" fails prints 'to be (taken back|confirmed)' gpuharden status
  take_state "$keep/now"
  # The packet filter was asked, and its modules with it.
  compare "$why" "$keep/before" "$keep/now" files boot_rules devices mounts audit filter settings units
  nothing_is_in_force "$why"
}
the_service_did_it() {
  local why=$1 reason=$2
  check "$why: gpuharden-recover.service took it back" prints "$reason, taken back" \
    journalctl -b --no-pager -u gpuharden-recover.service
  check "$why: and did not fail" fails systemctl is-failed gpuharden-recover.service
  check "$why: before the network was there" recovered_before network-pre.target nftables.service ssh.service \
    auditd.service systemd-sysctl.service
  check "$why: the boot had no cycle, and nothing of ours failed" \
    fails prints 'ordering cycle|Failed to start.*gpuharden' journalctl -b --no-pager _PID=1
}
# In microseconds since the boot.
when() { systemctl show --value --property="$1" "$2"; }
recovered_before() {
  local unit ended
  ended=$(when InactiveEnterTimestampMonotonic gpuharden-recover.service)
  ((ended > 0)) || return 1
  for unit in "$@"; do
    local began
    began=$(when InactiveExitTimestampMonotonic "$unit")
    [[ $unit != *.target ]] || began=$(when ActiveEnterTimestampMonotonic "$unit")
    echo "$unit: $began, recovered at $ended"
    ((began == 0 || began >= ended)) || return 1
  done
}

phase_1() {
  take_state "$keep/before"
  apply_unconfirmed 3600
  locked_is_in_force "unconfirmed"
  people_get_in
  end_by=reboot-f
}

phase_2() {
  the_service_did_it "after reboot -f" "not confirmed in time"
  went_back "after reboot -f"
  apply_unconfirmed 3600
  locked_is_in_force "unconfirmed"
  end_by=power-failure
}

phase_3() {
  the_service_did_it "after a power failure" "not confirmed in time"
  went_back "after a power failure"
  # The next one comes while the change is being made: as soon as the journal is begun.
  local journals=/var/lib/gpuharden/transactions
  local known
  known=$(find "$journals" -type f | wc -l)
  apply_locked --confirm-within 3600 &
  local apply=$!
  while (($(find "$journals" -type f | wc -l) == known)) && kill -0 "$apply"; do :; done
  check "the change is under way" kill -0 "$apply"
  end_by=power-failure
}

phase_4() {
  # Whether it was in the middle, at its end or unconfirmed: nothing of it is there.
  went_back "after a power failure in the middle"
  apply_unconfirmed "$window"
  locked_is_in_force "until the deadline"
  check_exit 1 "whoever did not come after the change cannot confirm it" gpuharden confirm
  local wait
  for ((wait = 0; wait < 2 * window; ++wait)); do
    # While it is being taken back it is not in force any more, and not over yet.
    prints '^0 transactions are in force' gpuharden status >/dev/null &&
      fails prints 'to be (taken back|confirmed)' gpuharden status >/dev/null && break
    sleep 1
  done
  check "at the deadline: nothing is in force" prints '^0 transactions are in force' gpuharden status
  check "at the deadline: nothing waits" fails prints 'to be (taken back|confirmed)' gpuharden status
  take_state "$keep/now"
  compare "at the deadline" "$keep/before" "$keep/now" files devices mounts audit filter settings units
  nothing_is_in_force "at the deadline"

  apply_unconfirmed "$window"
  check_exit 0 "who logs in afterwards confirms it" ssh_as_admin sudo gpuharden confirm
  sleep "$window"
  locked_is_in_force "after the confirmed deadline"
  check_exit 0 "rollback of what was confirmed" gpuharden rollback --yes
  take_state "$keep/now"
  compare "after that" "$keep/before" "$keep/now" files devices mounts audit filter settings units
}
