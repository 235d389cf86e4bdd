# SPDX-License-Identifier: GPL-2.0-or-later
# What the scenarios are made of: checks with a line each, and the state of the machine as text.
# shellcheck shell=bash disable=SC2016,SC2034

say() { printf '%s\n' "$*" >/dev/ttyS1; }

# check SENTENCE COMMAND... : one line of the result; what the command printed is in the output.
check() {
  local sentence=$1 status=0
  shift
  printf '\n--- %s (%d s)\n+ %s\n' "$sentence" "$SECONDS" "$*"
  "$@" || status=$?
  if ((status == 0)); then say "PASS $sentence"; else say "FAIL $sentence"; fi
}

# check_exit CODE SENTENCE COMMAND...
check_exit() { check "$2 (exit $1)" exits_with "$1" "${@:3}"; }
exits_with() {
  local wanted=$1 status=0
  shift
  "$@" || status=$?
  ((status == wanted)) || { echo "it ended with $status" && return 1; }
}

fails() { ! "$@"; }
prints() { # prints PATTERN COMMAND...
  local text
  text=$("${@:2}" 2>&1)
  printf '%s\n' "$text"
  grep -qE -- "$1" <<<"$text"
}

# The state of the machine, a file for each kind of it, below a folder.
#
# Folders have no time: entries came and went. audit.rules is made by augenrules of what is in rules.d at each boot, with
# a copy of the one before: it is a part of its own, by its bytes.
places=(/etc /boot /root /home /opt /srv /usr/local /usr/lib/systemd /usr/lib/udev /usr/lib/modprobe.d /usr/lib/sysctl.d
  /usr/lib/modules /usr/share/gpuharden /var/spool)
find_files() { find "${places[@]}" -xdev -not -path '/etc/audit/audit.rules*' \( "$@" \); }
state_of_files() {
  find_files \( -type d -printf '%p\t%y\t%m\t%U:%G\n' \) -o -printf '%p\t%y\t%m\t%U:%G\t%s\t%T@\t%l\n' | sort
  find_files -type f -print0 | sort -z | xargs -0 sha256sum
  find_files -print0 | sort -z | xargs -0 getfattr --no-dereference --dump --match=- --encoding=hex 2>/dev/null
}
state_of_boot_rules() { stat -c '%n %F %a %u:%g' /etc/audit/audit.rules && cat /etc/audit/audit.rules; }
# Nodes of terminals change with who uses them.
state_of_devices() {
  find /dev \( -path /dev/pts -o -path /dev/shm -o -path /dev/mqueue -o -path /dev/hugepages \) -prune -o \
    -printf '%p\t%y\t%m\t%U:%G\t%l\n' | sort
  find /dev \( -path /dev/pts -o -path /dev/shm \) -prune -o \( -type c -o -type b \) -print0 | sort -z | xargs -0 stat -c '%n %t:%T'
}
state_of_modules() { cut -d' ' -f1 /proc/modules | sort; }
# A login's own folder stays for some seconds after it.
state_of_mounts() { cut -d' ' -f1-6 /proc/self/mounts | grep -v ' /run/user/[0-9]* ' | sort; }
state_of_audit() { auditctl -l && auditctl -s | grep -E '^(enabled|failure|backlog_limit) '; }
state_of_filter() { nft -s list ruleset; }
state_of_settings() {
  grep -rs . /proc/sys/kernel /proc/sys/fs /proc/sys/net/ipv4/conf/all |
    grep -vE '/(random|keys|sched_domain|quota|binfmt_misc)/|ns_last_pid|-nr:|-state:|cad_pid|pty/nr|tainted' | sort
}
# What is enabled is told by links in /etc. The guard asks for network-pre.target, also in a boot that takes it back.
state_of_units() {
  systemctl list-units --all --plain --no-legend --no-pager --type=service,socket,target,path |
    awk '$2 != "not-found" { print $1, $2, $3, $4 }' |
    grep -vE '^(gpuharden-(vm|revert)|network-pre|user|user-runtime-dir|systemd-(tmpfiles|journal-flush|user-sessions).*)(@[0-9]+)?\.'
}
all_parts=(files boot_rules devices mounts modules audit filter settings units)
# nft loads modules: they are looked at before. These files, and these alone, must outlast a power failure.
take_state() { # take_state FOLDER [PART...]
  local folder=$1 part
  shift
  mkdir -p "$folder"
  for part in "${@:-${all_parts[@]}}"; do "state_of_$part" >"$folder/$part"; done
  sync "$folder"/* "$folder"
}

# compare SENTENCE BEFORE AFTER PART... : a check for each part. An empty state is no state.
compare() {
  local sentence=$1 before=$2 after=$3 part
  shift 3
  for part in "$@"; do check "$sentence: $part as before" same_state "$before/$part" "$after/$part"; done
}
same_state() {
  [[ -s $1 || $1 == */filter ]] || { echo "$1 is empty" && return 1; }
  diff -U0 "$1" "$2"
}

outcome_of() { # outcome_of RULE REPORT
  jq -r --arg id "$1" '.rules[] | select(.id == $id) | .outcome' "$2"
}
# Not applicable: nothing is left that could fail.
all_pass() { # all_pass REPORT RULE...
  local report=$1 rule outcome bad=0
  shift
  for rule in "$@"; do
    outcome=$(outcome_of "$rule" "$report")
    [[ $outcome == pass || $outcome == not-applicable ]] && continue
    jq -Mc --arg id "$rule" '.rules[] | select(.id == $id)' "$report"
    bad=1
  done
  return "$bad"
}

# A connection from the other machine: prints what the server says.
stranger_hears() { # stranger_hears PORT
  timeout 5 ip netns exec stranger bash -c 'exec 3<>/dev/tcp/10.77.0.1/$0 && head -c 4 <&3' "$1" 2>/dev/null
}
stranger_gets_in() { stranger_hears "$1" | grep -qE '^(here|SSH-)$'; }
owner_hears() { [[ $(timeout 5 bash -c 'exec 3<>/dev/tcp/127.0.0.1/$0 && head -c 4 <&3' "$1" 2>/dev/null) == here ]]; }

ssh_options=(-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectTimeout=20)
# A login with a key, from the other machine.
ssh_as_admin() { ip netns exec stranger ssh "${ssh_options[@]}" -o BatchMode=yes admin@10.77.0.1 "$@"; }
# A login with the password and nothing else.
ssh_as_opal() {
  printf '#!/bin/sh\necho correct horse\n' >/run/answer && chmod 0700 /run/answer
  SSH_ASKPASS=/run/answer SSH_ASKPASS_REQUIRE=force setsid -w ip netns exec stranger ssh "${ssh_options[@]}" \
    -o PubkeyAuthentication=no -o NumberOfPasswordPrompts=1 opal@10.77.0.1 "$@" </dev/null
}
people_get_in() {
  check "the administrator logs in with a key and becomes root" prints '^0$' ssh_as_admin sudo id -u
  check "who has only a password logs in with it" prints '^opal$' ssh_as_opal id -un
}

risks=(--accept restart --accept reboot --accept gpu-loss --accept lockout)
apply_locked() { gpuharden apply --profile locked --yes "${risks[@]}" "$@"; }
# The rules that apply of `locked` makes pass here, at once or by the reboot.
mended=(accounts.gpu-groups audit.account-files audit.environment-files audit.module-loading audit.shell-profiles
  audit.unit-folders containers.cdi-permissions env.injection-variable firewall.ai-ports-guarded kernel.dmesg-restrict
  kernel.kptr-restrict kernel.perf-paranoid services.ollama-bind systemd.unit-permissions)
audit_locked() { gpuharden audit --profile locked --format json --output "$1"; }

# What is in force when `locked` is applied, asked of the kernel and the services.
locked_is_in_force() {
  local why=$1
  check "$why: the audit rules are in the kernel" prints 'key=gpuharden-modules' auditctl -l
  check "$why: our table is in the packet filter" prints 'dport @guarded' nft list table inet gpuharden
  check "$why: a stranger does not get to the model server" fails stranger_gets_in 8000
  check "$why: this machine does" owner_hears 8000
  check "$why: Ollama hears this machine only" owner_hears 11434
  check "$why: and no stranger" fails stranger_gets_in 11434
  check "$why: a stranger gets to SSH" stranger_gets_in 22
  check "$why: the settings are the kernel's" prints '^3 1 2$' \
    bash -c 'cd /proc/sys/kernel && echo $(<perf_event_paranoid) $(<dmesg_restrict) $(<kptr_restrict)'
  check "$why: alice is in no GPU group" fails prints 'render|video' id -nG alice
}
nothing_is_in_force() {
  local why=$1
  check "$why: a stranger gets to the model server again" stranger_gets_in 8000
  check "$why: and to Ollama" stranger_gets_in 11434
}
