# SPDX-License-Identifier: GPL-2.0-or-later
# The vendors' real libraries and AMD's compiler for tests/gpu/real_drivers_test.cc: fetched from the distribution, unpacked, never
# installed. Without a network, without root or on another release the tests say that they are skipped. Sourced by ./dev.
# shellcheck shell=bash

# fetch_real_drivers FOLDER: fills FOLDER/cuda, FOLDER/hip and FOLDER/pocl once, and exports GPUHARDEN_REAL_DRIVERS.
fetch_real_drivers() {
  local folder=$1
  export GPUHARDEN_REAL_DRIVERS=$folder
  [[ ! -f $folder/done || ! -d $folder/hip ]] || return 0
  ((EUID == 0)) && command -v apt-get >/dev/null || return 0
  # shellcheck source=/dev/null
  [[ $(. /etc/os-release && echo "$ID $VERSION_CODENAME") == "debian bookworm" ]] || return 0
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/deb"
  # The private parts of the archive, for this download alone.
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main non-free" \
    >"$folder/sources.list"
  local -a apt=(apt-get -q -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o "Dir::Cache=$folder/cache" -o APT::Sandbox::User=root
    -o Acquire::Retries=1 -o Acquire::http::Timeout=20)
  local -a pocl=(pocl-opencl-icd libpocl2 libpocl2-common ocl-icd-libopencl1 libllvm15 libclang-cpp15 libhwloc15 libnuma1)
  # With LLVM's libraries from PoCL's folder.
  local -a hip=(libamdhip64-5 libamd-comgr2 libhsa-runtime64-1 libhsakmt1 hipcc clang-15 lld-15)
  if ! ("${apt[@]}" update && cd "$folder/deb" && "${apt[@]}" download libcuda1 "${pocl[@]}" "${hip[@]}") >"$folder/log" 2>&1; then
    say "dev: the vendors' libraries could not be fetched: see $folder/log"
    return 0
  fi
  local package
  for package in "$folder"/deb/*.deb; do
    case ${package##*/} in
      libcuda1*) dpkg-deb -x "$package" "$folder/cuda" ;;
      libamd* | libhsa* | hipcc* | clang* | lld*) dpkg-deb -x "$package" "$folder/hip" ;;
      *) dpkg-deb -x "$package" "$folder/pocl" ;;
    esac
  done
  rm -rf "$folder/deb" "$folder/lists" "$folder/cache"
  touch "$folder/done"
}
