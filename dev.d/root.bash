#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ./dev root SUITE test: build and test in a fresh Debian root of another suite. All mounts are made in a
# mount namespace of their own, so that none is left however this ends.
set -euo pipefail

suite=${1:?usage: ./dev root SUITE test}
[[ ${2:-} == test ]] || { echo "usage: ./dev root SUITE test" >&2 && exit 64; }
[[ $suite =~ ^[a-z]+$ ]] || { echo "dev: $suite is no suite" >&2 && exit 64; }
((EUID == 0)) || { echo "dev: root makes mounts and must run as root" >&2 && exit 1; }

sources=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/gpuharden
tree=$cache/root-$suite
include=$(tr -s ' ' ',' <<<"${packages:?started by ./dev}")
mkdir -p "$cache/build-$suite"

# The tree is made again when the list of packages changed.
if [[ $(cat "$tree.packages" 2>/dev/null) != "$include" ]]; then
  rm -rf --one-file-system "$tree" "$tree.new"
  # shellcheck disable=SC2086 # a mirror is optional
  mmdebstrap --quiet --variant=minbase --mode=root --include="$include,ca-certificates,kmod,procps" \
    "$suite" "$tree.new" ${GPUHARDEN_MIRROR:-}
  mv "$tree.new" "$tree"
  echo "$include" >"$tree.packages"
fi
mkdir -p "$tree/src" "$tree/build"

# shellcheck disable=SC2016 # expanded inside
exec unshare --mount --propagation private --pid --fork --kill-child bash -euo pipefail -c '
  sources=$1 tree=$2 outside=$3
  # A mount of its own, and the root of everything: only so can tests make mount namespaces in it.
  mount --bind "$tree" "$tree"
  mount --bind "$sources" "$tree/src"
  mount -o remount,bind,ro "$tree/src"
  mount --bind "$outside" "$tree/build"
  mount -t proc proc "$tree/proc"
  mount -t sysfs -o ro sysfs "$tree/sys"
  mount --rbind /dev "$tree/dev"
  mount -t tmpfs tmpfs "$tree/tmp"
  # Everything is built once: folder by folder, as in CI, and without the sanitizers.
  cd "$tree"
  pivot_root . mnt
  umount -l /mnt
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 CCACHE_DIR=/build/ccache \
    CI=true GPUHARDEN_TEST_ASAN=no GPUHARDEN_BUILD_DIR=/build bash /src/dev test
' bash "$sources" "$tree" "$cache/build-$suite"
