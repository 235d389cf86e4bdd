# SPDX-License-Identifier: GPL-2.0-or-later
# Which packages the build, the tests and the tools need, and how they come in. Names are the same on
# Debian 12 and 13 and on Ubuntu 22.04, 24.04 and 26.04 unless said otherwise. Sourced by ./dev.
# shellcheck shell=bash disable=SC2034

build_packages=(g++ cmake ninja-build pkg-config ccache
  libapt-pkg-dev libcap-dev libcli11-dev libkmod-dev liblzma-dev libmnl-dev libnftables-dev libre2-dev libseccomp-dev libsqlite3-dev
  libsystemd-dev libyaml-cpp-dev libzstd-dev nettle-dev nlohmann-json3-dev zlib1g-dev)
test_packages=(libgmock-dev libgtest-dev libvalijson-dev)
vm_packages=(busybox-static cpio e2fsprogs kmod make mmdebstrap qemu-system-x86)
# Tests say what they skip without these. Used where they are, and never installed: ansible-core, chromium (large) and
# prometheus (a service that would listen).
optional_test_packages=(clang groff-base libxml2-utils lld openssh-client openssh-server strace)

# The command that shows that a package is there, where the package itself may be a virtual one.
declare -A command_of=([pkg-config]=pkg-config [g++]=g++ [ninja-build]=ninja [clang]=clang++)

is_installed() {
  local name=$1
  if [[ -n ${command_of[$name]:-} ]]; then
    command -v "${command_of[$name]}" >/dev/null
    return
  fi
  [[ $(dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | head -n 1) == installed ]]
}

# Installs those of the packages that are missing. Without root, or without apt, they are named and
# the work goes on: the build says what it really lacks.
need_packages() {
  local -a missing=()
  local package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]} > 0)) || return 0
  if ! command -v apt-get >/dev/null; then
    say "dev: this is neither Debian nor Ubuntu; what these packages hold is needed: ${missing[*]}"
  elif ((EUID != 0)); then
    say "dev: missing packages; as root: apt-get install ${missing[*]}"
  else
    install_packages "${missing[@]}"
  fi
}

install_packages() {
  local log
  log=$(mktemp)
  say "dev: installing $*"
  if { update_lists && apt_get install --no-install-recommends "$@"; } >"$log" 2>&1; then
    rm -f "$log"
    return 0
  fi
  tail -n 20 "$log" >&2
  rm -f "$log"
  fail "apt-get could not install: $* (on Ubuntu the component universe must be enabled)"
}

apt_get() { apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null; }

lists_are_new=no
update_lists() {
  [[ $lists_are_new == no ]] || return 0
  apt_get update && lists_are_new=yes
}

# Like need_packages, but a package that this release does not have, or that cannot be installed, is passed over.
need_packages_if_known() {
  local package
  for package in "$@"; do
    is_installed "$package" && continue
    if ((EUID != 0)) || ! command -v apt-get >/dev/null; then continue; fi
    { update_lists && apt_get install --no-install-recommends "$package"; } >/dev/null 2>&1 ||
      say "dev: $package cannot be had here"
  done
}

need_fuzz_packages() {
  need_packages clang
  local major
  major=$(clang++ -dumpversion | cut -d. -f1)
  # On Ubuntu 22.04 the runtime is part of libclang-common-14-dev, which clang brings.
  [[ -n $(find "$(clang++ -print-resource-dir)" -name '*clang_rt.fuzzer*' -print -quit) ]] ||
    need_packages "libclang-rt-$major-dev"
}

# Prints a clang-format of the version whose layout is the project's.
find_clang_format() {
  local tool
  is_format_14 clang-format || is_format_14 clang-format-14 || need_packages_if_known clang-format-14
  for tool in clang-format-14 clang-format; do
    is_format_14 "$tool" && echo "$tool" && return 0
  done
  return 1
}
is_format_14() { command -v "$1" >/dev/null && "$1" --version | grep -q 'version 14\.'; }
