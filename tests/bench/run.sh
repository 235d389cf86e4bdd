#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What an audit costs: of this machine and of the made-up server "gpu-server", beside the floor, which is
# opening and reading the same files and nothing else. Started by ./dev bench.
#   --runs N       how often each is timed (20)
#   --scale        also: how the cost grows with users, processes, sockets, packages, units, containers
#   --apply        instead: plan, apply and rollback of the policy locked on the tree of gpu-server, and of a Debian root
#                  where mmdebstrap is
#   --fleet        instead: time and memory of merging 1,000 and 10,000 reports (0.7 GB below TMPDIR)
#   --with-lynis   also: one run of `lynis audit system --quick` without a network (minutes; installs lynis)
set -euo pipefail

build=${GPUHARDEN_BUILD:?the folder of a release build; start this by ./dev bench}
programs=$build/tests/bench
runs=20
scale=no
lynis=no
apply=no
fleet=no
while (($# > 0)); do
  case $1 in
    --runs)
      runs=${2:?--runs takes a number}
      shift
      ;;
    --scale) scale=yes ;;
    --apply) apply=yes ;;
    --with-lynis) lynis=yes ;;
    --fleet) fleet=yes ;;
    *)
      echo "bench: unknown argument $1" >&2
      exit 64
      ;;
  esac
  shift
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# least FILE: the least wall time in what the runner or the floor printed.
least() { awk '$1 == "wall" { print $2; exit }' "$1"; }

# The least time of all processors.
least_cpu() { awk '$1 == "cpu" { print $2; exit }' "$1"; }

# The peak resident memory in MiB.
peak() { awk '$1 == "peak" { print $2; exit }' "$1"; }

# Exit codes of an audit other than a verdict mean that something else was timed.
check_exit() {
  if awk '$1 == "exit" { for (i = 2; i <= NF; ++i) if ($i > 2) exit 1 }' "$1"; then return 0; fi
  echo "bench: the audit did not run: $(grep exit "$1")" >&2
  exit 1
}

system_calls() {
  strace -f -c -U calls,name -o "$work/calls" "$@" >/dev/null 2>&1 || true
  awk '$NF == "total" { print $(NF - 1) }' "$work/calls"
}

# one NAME ARGUMENT...: times the audit with these arguments, and its floor.
one() {
  local name=$1
  shift
  local -a audit=("$build/gpuharden" audit "$@")
  echo
  echo "$name: gpuharden audit, $runs runs"
  "$programs/gpuharden-runner" "$runs" "${audit[@]}" | tee "$work/audit"
  check_exit "$work/audit"
  echo "  calls $(system_calls "${audit[@]}") system calls"
  rm -f "$work"/trace.*
  strace -ff -y -s 4096 -e trace=%file,%fstat,socket -o "$work/trace" "${audit[@]}" >/dev/null 2>&1 || true
  # What is the tool's own, such as its rules, is no part of the host.
  "$programs/gpuharden-floor" list "$work"/trace.* | grep -v -F " $build/" >"$work/list"
  echo "$name: the floor"
  "$programs/gpuharden-floor" run "$work/list" "$runs" | tee "$work/floor"
  awk -v audit="$(least "$work/audit")" -v floor="$(least "$work/floor")" \
    -v audit_cpu="$(least_cpu "$work/audit")" -v floor_cpu="$(least_cpu "$work/floor")" 'BEGIN {
      printf "  ratio %8.2f of wall time, %.2f of CPU (the audit over its floor, least of each)\n",
        audit / floor, audit_cpu / floor_cpu
    }'
}

# How the cost of one more grows along lines of "count milliseconds": between the last two counts against the first two.
# What adds less than a tenth to the whole is not told from noise.
describe_growth() {
  awk '{ count[NR] = $1; cost[NR] = $2 }
    END {
      if (cost[NR] < 1.1 * cost[1]) { print "hardly grows"; exit }
      first = (cost[2] - cost[1]) / (count[2] - count[1])
      last = (cost[NR] - cost[NR - 1]) / (count[NR] - count[NR - 1])
      if (cost[2] < 1.1 * cost[1]) first = cost[2] / count[2]
      printf "%.1f us for one more; the last cost %.2f times the first: %s\n", last * 1e3, last / first,
        last <= 1.5 * first ? "linear" : "NOT LINEAR"
    }' "$1"
}

# growth NAME COUNT...: the audit of captures that differ in one number.
growth() {
  local name=$1 count
  shift
  : >"$work/points"
  for count in "$@"; do
    rm -rf "$work/grown"
    "$programs/gpuharden-make-capture" "$work/grown" "$name=$count"
    "$programs/gpuharden-runner" 5 "$build/gpuharden" audit --capture "$work/grown" >"$work/audit"
    check_exit "$work/audit"
    printf '  %-12s %8d %10s ms %10s ms of CPU %8s MiB\n' "$name" "$count" "$(least "$work/audit")" \
      "$(least_cpu "$work/audit")" "$(peak "$work/audit")"
    echo "$count $(least_cpu "$work/audit")" >>"$work/points"
  done
  printf '  %-12s %s\n' "$name" "$(describe_growth "$work/points")"
}

milliseconds() { awk -v ns="$(($(date +%s%N) - $1))" 'BEGIN { printf "%.0f", ns / 1e6 }'; }

# change NAME TREE: plan, apply and rollback until nothing is left to take back, five times; the least of each.
change() {
  local name=$1 tree=$2 round start code
  local -a all=(--root "$tree" --profile locked --trust-rules)
  local -a accept=(--accept restart --accept reboot --accept gpu-loss --accept lockout)
  : >"$work/times"
  for ((round = 0; round < 5; ++round)); do
    start=$(date +%s%N)
    "$build/gpuharden" plan "${all[@]}" "${accept[@]}" >"$work/plan" || true
    printf '%s ' "$(milliseconds "$start")" >>"$work/times"
    start=$(date +%s%N)
    code=0
    "$build/gpuharden" apply "${all[@]}" "${accept[@]}" --yes >"$work/applied" 2>&1 || code=$?
    printf '%s ' "$(milliseconds "$start")" >>"$work/times"
    ((code != 1 && code != 5 && code < 64)) || { cat "$work/applied" >&2 && exit 1; }
    start=$(date +%s%N)
    "$build/gpuharden" rollback --root "$tree" --yes >"$work/back" 2>&1 || { cat "$work/back" >&2 && exit 1; }
    printf '%s\n' "$(milliseconds "$start")" >>"$work/times"
    # Later rounds of one apply are transactions of their own; they are not timed.
    while "$build/gpuharden" rollback --root "$tree" --yes >/dev/null 2>&1; do :; done
  done
  printf '%s: %s\n' "$name" "$(tail -n 1 "$work/plan")"
  awk '{ for (i = 1; i <= 3; ++i) if (NR == 1 || $i < least[i]) least[i] = $i }
    END { printf "  plan %d ms, apply with its own audits %d ms, rollback %d ms\n", least[1], least[2], least[3] }' "$work/times"
}

if [[ $apply == yes ]]; then
  "$programs/gpuharden-make-capture" "$work/server"
  change "the tree of gpu-server" "$work/server/root"
  if command -v mmdebstrap >/dev/null && mmdebstrap -q --variant=minbase --include=systemd,kmod,openssh-server,auditd,nftables \
    bookworm "$work/debian" >/dev/null 2>&1; then
    change "a Debian root" "$work/debian"
  else
    echo "a Debian root cannot be had here"
  fi
  exit
fi

# fleet COUNT: merges so many reports into each format. Hosts differ in name, and each has a finding of its own.
fleet() {
  local count=$1 format
  mkdir -p "$work/fleet"
  "$build/gpuharden" audit --quiet --exit-zero --capture tests/hosts/nvidia-bad --check 'apt.*' --format json >"$work/report"
  awk -v count="$count" -v folder="$work/fleet" '
    { line[NR] = $0 }
    /"name": "gpu-07"/ && !name { name = NR }
    /"fingerprint":/ && !own { own = NR }
    END {
      for (host = 1; host <= count; ++host) {
        file = sprintf("%s/%05d.json", folder, host)
        line[name] = sprintf("    \"name\": \"gpu-%05d\",", host)
        sub(/"[0-9a-f]+"/, sprintf("\"%032x\"", host), line[own])
        for (i = 1; i <= NR; ++i) print line[i] >file
        close(file)
      }
    }' "$work/report"
  find "$work/fleet" -name '*.json' | sort >"$work/list"
  for format in json sarif html; do
    "$programs/gpuharden-runner" 1 "$build/gpuharden" merge --files-from "$work/list" --format "$format" -o "$work/merged" >"$work/cost"
    awk '$1 == "exit" && $2 != 0 { exit 1 }' "$work/cost" || { echo "bench: the merge failed" >&2 && exit 1; }
    printf '  %6d hosts, %7d KiB of reports to %-5s %8s ms %8s ms of CPU %8s MiB at most, %7d KiB written\n' "$count" \
      "$(du -sk "$work/fleet" | cut -f1)" "$format" "$(least "$work/cost")" "$(least_cpu "$work/cost")" "$(peak "$work/cost")" \
      "$(du -k "$work/merged" | cut -f1)"
  done
}

if [[ $fleet == yes ]]; then
  echo "merging reports, each format once"
  fleet 1000
  fleet 10000
  exit
fi

one "this machine"
"$programs/gpuharden-make-capture" "$work/server"
one gpu-server --capture "$work/server"

if [[ $scale == yes ]]; then
  echo
  echo "growth of gpu-server, least times of 5 runs and peak memory"
  growth users 40 1000 10000
  growth processes 200 1000 5000
  growth sockets 120 5000 50000
  growth packages 3000 6000 12000
  growth units 500 1000 2000
  growth containers 40 80 160
  growth nft_rules 200 1000 5000
fi

if [[ $lynis == yes ]]; then
  echo
  command -v lynis >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends lynis >/dev/null ||
    { echo "bench: lynis cannot be had here" >&2 && exit 1; }
  echo "this machine: lynis audit system --quick, once, without a network"
  "$programs/gpuharden-runner" 1 "$(command -v unshare)" --net "$(command -v lynis)" audit system --quick --no-colors
fi
