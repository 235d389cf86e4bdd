# SPDX-License-Identifier: GPL-2.0-or-later
# Nobody is locked out: what could do that is refused, or needs a word for this run, and who is in stays in.
# shellcheck shell=bash disable=SC2154 # from lib.bash

phase_1() {
  take_state "$keep/before" files filter audit
  lockout_needs_a_word
  ssh_is_never_guarded
  the_last_administrator_stays
  a_window_needs_the_service
  an_open_session_stays
}

unchanged() {
  take_state "$keep/now" files filter audit
  compare "$1" "$keep/before" "$keep/now" files filter audit
}

lockout_needs_a_word() {
  check_exit 2 "the packet filter is left alone without --accept lockout" \
    gpuharden apply --profile locked --yes --accept restart --check firewall.ai-ports-guarded
  mkdir -p /etc/gpuharden/policies.d
  printf 'title: Careless\nextends: locked\naccept: [lockout]\n' >/etc/gpuharden/policies.d/careless.yaml
  check "a policy cannot say that word" fails gpuharden plan --profile careless
  rm -r /etc/gpuharden
  unchanged "after what was left alone"
}

# sshd listens where a model server is known to: the guard would cut off who comes by SSH.
ssh_is_never_guarded() {
  printf 'Port 22\nPort 8000\n' >/etc/ssh/sshd_config.d/ports.conf
  check "a port of SSH's is not guarded" prints "port 8000 is one of SSH's" \
    gpuharden plan --profile locked --accept lockout --check firewall.ai-ports-guarded
  check_exit 2 "not even when lockout is accepted" \
    gpuharden apply --profile locked --yes --accept lockout --set firewall.ai-ports-guarded.allowed_ports=11434 --check firewall.ai-ports-guarded
  check "and the table is not there" fails nft list table inet gpuharden
  rm /etc/ssh/sshd_config.d/ports.conf
  unchanged "after SSH's port"
}

a_window_needs_the_service() {
  systemctl disable gpuharden-recover.service
  check_exit 1 "no window without the service that closes it at boot" apply_locked --confirm-within 60
  systemctl enable gpuharden-recover.service
}

an_open_session_stays() {
  mkfifo /run/ask /run/answer.out
  ssh_as_admin cat </run/ask >/run/answer.out &
  exec 7>/run/ask 8</run/answer.out
  check "a session is open" session_answers before
  check_exit 2 "apply --profile locked" apply_locked
  check "the session lives on" session_answers after
  people_get_in
  exec 7>&- 8<&-
}
session_answers() {
  local answer
  echo "$1" >&7 && read -r -t 20 answer <&8 && [[ $answer == "$1" ]]
}

the_last_administrator_stays() {
  # Everybody but opal loses sudo by hand; the product is told to clear that very group.
  gpasswd -d admin sudo
  mv /etc/sudoers.d/admin /root/admin.sudo
  take_state "$keep/before" files filter audit
  gpuharden apply --profile locked --yes --accept gpu-loss --set accounts.gpu-groups.groups=sudo \
    --check accounts.gpu-groups
  check "who alone can become root is not taken out of the group" prints '\bsudo\b' id -nG opal
  check "and still can" prints '^0$' ssh_as_opal 'echo correct horse | sudo -S -p "" id -u'
  unchanged "after the last administrator"
  mv /root/admin.sudo /etc/sudoers.d/admin
  gpasswd -a admin sudo
  take_state "$keep/before" files filter audit
}
