#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ./dev vm [short | SCENARIO...]: the product on a real kernel and a real systemd, in a virtual machine without network.
# tests/vm/README.md says how it works. Everything is kept below build/vm, each piece keyed on what it is made of.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
work=${GPUHARDEN_BUILD_DIR:-$root/build}/vm
logs=$work/logs
# As deep below the sources as the other builds: what ccache has of those then serves.
product=${GPUHARDEN_BUILD_DIR:-$root/build}/packaged
# A guest without hardware virtualisation is ten to twenty times slower than its host.
boot_deadline=${GPUHARDEN_VM_BOOT_SECONDS:-600}
max_boots=8
# A node of KVM may be there without being of use (in a machine that is a guest itself): kvm only where it is asked for.
accelerator=${GPUHARDEN_VM_ACCELERATOR:-tcg}
guest_packages=(systemd-sysv dbus auditd nftables kmod udev procps iproute2 openssh-server openssh-client sudo
  libpam-systemd attr jq libnftables1 libsystemd0)
# What of the kernel's modules the guest gets: its disk, its packet filter, and the families of netlink that an audit
# must not load.
module_folders=(arch/x86/crypto crypto lib fs/ext4 fs/jbd2 fs/mbcache.ko drivers/virtio drivers/block/virtio_blk.ko
  drivers/net/veth.ko drivers/net/dummy.ko drivers/char/hw_random net/802 net/llc net/bridge net/ipv4 net/ipv6
  net/netfilter net/netlink net/packet net/unix)
initrd_modules=(virtio_pci virtio_blk ext4)

say() { printf '%s\n' "$*" >&2; }
fail() {
  say "dev vm: $*"
  exit 1
}
# For what is no fault of the product: this machine cannot have a guest. The exit code is that of a skipped test.
cannot() {
  say "dev vm: $*"
  exit 77
}

# key FILE... : a digest of the contents and names of files and folders.
key() { find "$@" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16; }

# is_made PIECE KEY: whether it was made of the same things before.
is_made() { [[ $(cat "$work/$1.key" 2>/dev/null) == "$2" ]]; }
made() { printf '%s\n' "$2" >"$work/$1.key"; }

# The machine's own release: what is built here runs there.
release_codename() {
  # shellcheck disable=SC1091 # there on each Debian
  (. /etc/os-release && [[ $ID == debian ]] && echo "$VERSION_CODENAME") || cannot "the guest is Debian, and so must this machine be"
}

build_product() {
  local log=$work/product.log
  if ! {
    # With the prefix of a package. All but two objects are those of ./dev test.
    cmake --preset dev -B "$product" -DCMAKE_INSTALL_PREFIX=/usr -DGPUHARDEN_TESTS=OFF &&
      cmake --build "$product" --parallel "$(nproc)"
  } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    fail "building failed"
  fi
}

# Names of the packages that hold the libraries of the product here.
library_packages() {
  local library
  ldd "$product/gpuharden" | awk '$2 == "=>" { print $3 }' | while read -r library; do
    dpkg-query -S "$(readlink -f "$library")" 2>/dev/null || dpkg-query -S "$(readlink -f "$library" | sed 's|^/usr||')"
  done | cut -d: -f1 | sort -u
}

make_base() {
  local suite packages
  suite=$(release_codename)
  packages=$(printf '%s,' "${guest_packages[@]}")$(library_packages | paste -sd,)
  is_made base "$suite $packages" && return
  say "dev vm: making a root of $suite"
  # shellcheck disable=SC2086 # a mirror is optional
  mmdebstrap --quiet --variant=minbase --mode=root --include="$packages" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' "$suite" "$work/base.tar" ${GPUHARDEN_MIRROR:-} || cannot "a root of $suite cannot be made"
  made base "$suite $packages"
}

depends_of() { apt-cache depends --no-suggests --no-recommends "$1" | awk '$1 == "Depends:" && $2 !~ /</ { print $2 }'; }

# The kernel that the distribution has today, with the headers that the stub of the driver is built against.
make_kernel() {
  local image headers
  image=$(depends_of linux-image-amd64 | grep '^linux-image-' | head -n 1) || true
  [[ -n $image ]] || { apt-get -q update >&2 && image=$(depends_of linux-image-amd64 | grep '^linux-image-' | head -n 1); } || true
  [[ -n $image ]] || cannot "no package of a kernel is known"
  is_made kernel "$image" && return
  say "dev vm: getting $image"
  headers=${image/image/headers}
  rm -rf --one-file-system "$work/kernel" "$work/debs"
  mkdir -p "$work/debs" "$work/kernel"
  # The user that apt downloads as cannot write here.
  (cd "$work/debs" && mapfile -t more < <(depends_of "$headers") &&
    apt-get -q -o APT::Sandbox::User=root download "$image" "$headers" "${more[@]}") >"$work/download.log" 2>&1 ||
    { tail -n 5 "$work/download.log" >&2 && cannot "the kernel cannot be had"; }
  local package
  for package in "$work"/debs/*.deb; do dpkg -x "$package" "$work/kernel"; done
  rm -rf --one-file-system "$work/debs"
  made kernel "$image"
}

kernel_version() { basename "$(echo "$work"/kernel/lib/modules/*)"; }

# The headers name /usr/src and /usr/lib: they are laid there in a mount namespace of the build's own.
make_stub_driver() {
  local wanted
  wanted="$(cat "$work/kernel.key") $(key "$root/tests/vm/nvidia")"
  is_made driver "$wanted" && return
  say "dev vm: building the stub of the driver"
  rm -rf --one-file-system "$work/driver"
  cp -r "$root/tests/vm/nvidia" "$work/driver"
  mkdir -p "$work/overlay/upper" "$work/overlay/work"
  # shellcheck disable=SC2016 # expanded inside
  unshare --mount --propagation private bash -euo pipefail -c '
    work=$1 version=$2
    mount -t tmpfs tmpfs "$work/overlay"
    mkdir "$work/overlay/upper" "$work/overlay/work"
    mount -t overlay overlay -o "lowerdir=$work/kernel/usr/lib:/usr/lib,upperdir=$work/overlay/upper,workdir=$work/overlay/work" /usr/lib
    mkdir -p /usr/src
    mount --bind "$work/kernel/usr/src" /usr/src
    make -C "/usr/src/linux-headers-$version" M="$work/driver" modules
  ' bash "$work" "$(kernel_version)" >"$work/driver.log" 2>&1 || { tail -n 20 "$work/driver.log" >&2 && fail "the stub does not build"; }
  made driver "$wanted"
}

# Installs what the guest gets of the kernel below a folder.
install_kernel() {
  local target=$1 version from to entry
  version=$(kernel_version)
  from=$work/kernel/lib/modules/$version to=$target/lib/modules/$version
  mkdir -p "$to/kernel" "$to/updates/dkms" "$target/boot"
  cp "$from"/modules.builtin* "$from/modules.order" "$to/"
  for entry in "${module_folders[@]}"; do
    mkdir -p "$(dirname "$to/kernel/$entry")"
    cp -r "$from/kernel/$entry" "$to/kernel/$entry"
  done
  cp "$work/driver/nvidia.ko" "$to/updates/dkms/"
  cp "$work/kernel/boot/vmlinuz-$version" "$work/kernel/boot/config-$version" "$target/boot/"
  depmod -b "$target" "$version"
}

# Each once, after what it needs.
modules_of_disk() {
  local name
  for name in "${initrd_modules[@]}"; do
    modprobe -d "$1" -S "$(kernel_version)" --show-depends "$name"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# make_initrd TREE FILE: busybox, the modules of the disk in the order of their needs, and an init.
make_initrd() {
  local tree=$1 file=$2 folder module number order=0
  folder=$(mktemp -d "$work/initrd.XXXXXX")
  mkdir -p "$folder"/{bin,modules,proc,sys,dev,root}
  cp "$(command -v busybox)" "$folder/bin/busybox"
  while read -r module; do
    printf -v number %03d $((order++))
    cp "$module" "$folder/modules/$number-$(basename "$module")"
  done < <(modules_of_disk "$tree")
  install -m 0755 "$root/tests/vm/initrd/init" "$folder/init"
  (cd "$folder" && find . | cpio --quiet -o -H newc -R 0:0 | gzip -1) >"$file"
  rm -rf --one-file-system "$folder"
}

# The disk that each scenario starts from: the base, the kernel, the product as a package installs it, and the guest's
# side of the tests.
make_disk() {
  local wanted tree=$work/tree
  wanted="$(cat "$work/base.key" "$work/driver.key") $(key "$product/gpuharden" "$product/gpu-worker" \
    "$product/rules.compiled" "$root/policies" "$root/packaging" "$root/tests/vm" "$root/dev.d/vm.bash")"
  is_made disk "$wanted" && return
  say "dev vm: making the disk"
  rm -rf --one-file-system "$tree"
  mkdir -p "$tree"
  tar -C "$tree" -xf "$work/base.tar" --numeric-owner --xattrs --xattrs-include='*'
  install_kernel "$tree"
  make_initrd "$tree" "$work/initrd.img"
  cp "$work/initrd.img" "$tree/boot/initrd.img-$(kernel_version)"
  DESTDIR=$tree cmake --install "$product" --strip >"$work/install.log"
  cp -r "$root/tests/vm/guest/." "$tree/"
  cp -r "$root/tests/vm/scenarios" "$tree/usr/lib/gpuharden-vm/"
  cc -static -O1 -o "$tree/usr/local/bin/ollama" "$root/tests/vm/ai-server.c"
  cp "$tree/usr/local/bin/ollama" "$tree/usr/local/bin/vllm"
  chown -R 0:0 "$tree/usr/lib/gpuharden-vm" "$tree/usr/local/bin" "$tree/etc/systemd/system"
  chroot "$tree" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin bash /usr/lib/gpuharden-vm/furnish \
    >>"$work/install.log" 2>&1 || { tail -n 10 "$work/install.log" >&2 && fail "the guest cannot be furnished"; }
  rm -f "$work/disk.img"
  truncate -s 1500M "$work/disk.img"
  mke2fs -q -t ext4 -E lazy_itable_init=1,lazy_journal_init=1 -d "$tree" "$work/disk.img"
  rm -rf --one-file-system "$tree"
  made disk "$wanted"
}

make_pieces() {
  mkdir -p "$work" "$logs"
  build_product
  make_base
  make_kernel
  make_stub_driver
  make_disk
}

# start_guest SCENARIO PHASE DISK STEM: a machine without network. Its first serial line is the console, the second
# brings results, the third what the checks printed.
start_guest() {
  local scenario=$1 phase=$2 disk=$3 stem=$4
  : >"$stem.results"
  qemu-system-x86_64 -M q35 -accel "$accelerator" -cpu max,la57=off -smp 1 -m 1024 -nodefaults -no-reboot -display none \
    -kernel "$work/kernel/boot/vmlinuz-$(kernel_version)" -initrd "$work/initrd.img" \
    -append "root=/dev/vda console=ttyS0 quiet panic=-1 mitigations=off vm.scenario=$scenario vm.phase=$phase" \
    -drive "file=$disk,format=raw,if=virtio,cache=writeback" -device virtio-rng-pci \
    -serial "file:$stem.console" -serial "file:$stem.results" -serial "file:$stem.output" \
    </dev/null >"$stem.qemu" 2>&1 &
  guest=$!
  # Not a job: that it is killed is no news.
  disown "$guest"
}

# Waits for the end of the machine. It is killed when it asks for that, as a power failure would, or when its time is
# over. Says how it ended in `ended`.
await_guest() {
  local results=$1 started=$SECONDS
  ended=off
  while kill -0 "$guest" 2>/dev/null; do
    if grep -q '^KILL' "$results"; then
      ended=killed
    elif ((SECONDS - started > boot_deadline)); then
      ended=late
    fi
    [[ $ended == off ]] || kill -KILL "$guest" 2>/dev/null || true
    sleep 0.2
  done
  guest=0
}

# shellcheck disable=SC2317 # called by the trap
stop_guest() { ((${guest:-0} == 0)) || kill -KILL "$guest" 2>/dev/null || true; }

# One scenario from a fresh disk, boot after boot, until it says that it is done. Its results go to $logs/NAME.results.
run_scenario() {
  local name=$1 disk=$work/run-$1.img phase last stem started=$SECONDS
  rm -f "$logs/$name".*
  cp --sparse=always --reflink=auto "$work/disk.img" "$disk"
  for ((phase = 1; phase <= max_boots; ++phase)); do
    stem=$logs/$name.$phase
    start_guest "$name" "$phase" "$disk" "$stem"
    await_guest "$stem.results"
    tr -d '\r' <"$stem.results" | grep -E '^(PASS|FAIL|NOTE) ' >>"$logs/$name.results" || true
    last=$(tr -d '\r' <"$stem.results" | grep -E '^(NEXT|KILL|DONE)' | tail -n 1) || true
    case $ended:$last in
      off:NEXT | killed:KILL) ;;
      off:DONE) break ;;
      late:*) echo "FAIL boot $phase did not end in $boot_deadline s" >>"$logs/$name.results" && break ;;
      *) echo "FAIL boot $phase ended without a word (${last:-nothing})" >>"$logs/$name.results" && break ;;
    esac
  done
  rm -f "$disk"
  report_scenario "$name" "$((SECONDS - started))"
}

report_scenario() {
  local name=$1 seconds=$2 good bad
  good=$(grep -c '^PASS ' "$logs/$name.results") || true
  bad=$(grep -c '^FAIL ' "$logs/$name.results") || true
  ((good > 0)) || bad=$((bad + 1))
  printf '== %s: %s (%d checks, %d failed, %d s)\n' "$name" "$( ((bad == 0)) && echo ok || echo FAILED)" \
    "$((good + bad))" "$bad" "$seconds"
  if ((bad > 0)) || [[ -n ${GPUHARDEN_VM_VERBOSE:-} ]]; then sed 's/^/  /' "$logs/$name.results"; fi
  ((bad == 0)) || say "dev vm: what was printed is in $logs/$name.*"
  passed=$((passed + good)) failed=$((failed + bad))
}

scenario_names() { find "$root/tests/vm/scenarios" -name '*.bash' -printf '%f\n' | sed 's/\.bash$//' | grep -v '^short$' | sort; }

main() {
  local -a names=("$@")
  local name
  ((EUID == 0)) || fail "a root file system can only be made as root"
  [[ $(uname -m) == x86_64 ]] || cannot "the guest is an x86_64 machine, and so must this one be"
  ((${#names[@]} > 0)) || mapfile -t names < <(scenario_names)
  for name in "${names[@]}"; do
    [[ -f $root/tests/vm/scenarios/$name.bash ]] || fail "no such scenario: $name ($(scenario_names | paste -sd' ') or short)"
  done
  trap stop_guest EXIT
  make_pieces
  say "dev vm: the pieces are there after $SECONDS s"
  passed=0 failed=0
  for name in "${names[@]}"; do run_scenario "$name"; done
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}

# On one line: a change of this file while it runs is not read.
main "$@"; exit
