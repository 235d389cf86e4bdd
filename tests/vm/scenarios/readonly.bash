# SPDX-License-Identifier: GPL-2.0-or-later
# An audit, a plan and an apply that is not agreed to change nothing; the comparison of states notices whatever there is
# to be noticed.
# shellcheck shell=bash disable=SC2154 # from lib.bash

phase_1() {
  audit_changes_nothing
  check "the families of netlink that must not be loaded could be" modinfo -F name inet_diag unix_diag nf_tables
  comparison_notices
}

audit_changes_nothing() {
  local parts=(modules devices mounts files)
  take_state "$keep/before" "${parts[@]}"
  gpuharden audit --profile locked --deep >"$keep/report"
  check "an audit has something to say" grep -q '^CRITICAL\|^HIGH' "$keep/report"
  take_state "$keep/after" "${parts[@]}"
  compare "after an audit" "$keep/before" "$keep/after" "${parts[@]}"
}

# Each kind of change, one after another: none may pass as "equal".
comparison_notices() {
  take_state "$keep/before"
  notices files "a mode" chmod 0600 /etc/hosts
  notices files "an owner" chown admin /etc/hosts
  notices files "bytes" bash -c 'echo >>/etc/hosts'
  notices files "a time" touch -d '2020-01-01' /etc/hostname
  notices files "an extended attribute" setfattr -n user.note -v x /etc/hostname
  notices files "an access list" setfattr -n system.posix_acl_access \
    -v 0x0200000001000600ffffffff020004000100000004000400ffffffff10000600ffffffff20000400ffffffff /etc/hostname
  notices files "a link's target" ln -sfn /tmp /etc/mtab
  notices files "a new file" touch /etc/new
  notices devices "the mode of a node" chmod 0600 /dev/nvidia0
  notices mounts "a mount" mount -t tmpfs tmpfs /mnt
  notices audit "an audit rule" auditctl -w /etc/hosts -p wa
  notices filter "a table" nft add table inet other
  notices settings "a setting" sysctl -q kernel.kptr_restrict=1
  notices units "a unit that is off" systemctl stop vllm.service
  notices modules "a module" modprobe dummy
  notices boot_rules "the rules for the boot" bash -c 'echo >>/etc/audit/audit.rules'
}
notices() { # notices PART SENTENCE COMMAND...
  local part=$1
  take_state "$keep/with" "$part"
  mv "$keep/with/$part" "$keep/before/$part"
  "${@:3}"
  take_state "$keep/with" "$part"
  check "the comparison notices $2" fails same_state "$keep/before/$part" "$keep/with/$part"
}
