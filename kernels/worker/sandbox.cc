// SPDX-License-Identifier: GPL-2.0-or-later
// By hand, without libseccomp and libcap: the worker needs nothing but the C library, so that it builds and runs
// wherever a GPU is.
#include "kernels/worker/sandbox.h"

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace gpuharden::kernels {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the worker knows the system calls of x86-64 and 64-bit Arm"
#endif

constexpr std::uint32_t kRefused[] = {
#if defined(__NR_mknod)
    __NR_mknod,
#endif
    __NR_mknodat,       __NR_execve,     __NR_execveat,        __NR_init_module, __NR_finit_module,
    __NR_delete_module, __NR_kexec_load, __NR_kexec_file_load, __NR_mount,       __NR_umount2,
    __NR_pivot_root,    __NR_ptrace,     __NR_reboot,          __NR_setns,
};
constexpr std::size_t kRefusedCount = sizeof kRefused / sizeof kRefused[0];

constexpr const char* kPassingFolder = "/mnt";  // every system has it, and nothing of a library lies there

bool drop_capabilities() {
  for (const unsigned capability : {CAP_MKNOD, CAP_SYS_MODULE}) {
    // Without CAP_SETPCAP the bounding set stays; with no_new_privs and no exec nothing can be gained from it.
    ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return false;
  const std::uint32_t taken = (1U << CAP_MKNOD) | (1U << CAP_SYS_MODULE);
  data[0].effective &= ~taken;
  data[0].permitted &= ~taken;
  data[0].inheritable &= ~taken;
  return ::syscall(SYS_capset, &header, data.data()) == 0;
}

constexpr sock_filter statement(std::uint16_t code, std::uint32_t k) { return {code, 0, 0, k}; }

bool load_filter() {
  constexpr std::uint32_t kFail = SECCOMP_RET_ERRNO | EPERM;
  std::array<sock_filter, 7 + 2 * kRefusedCount + 1> program{};
  std::size_t at = 0;
  program.at(at++) = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  program.at(at++) = {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture};
  program.at(at++) = statement(BPF_RET | BPF_K, kFail);
  program.at(at++) = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  // The calls of x32 have numbers of their own.
  program.at(at++) = {BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000U};
  program.at(at++) = statement(BPF_RET | BPF_K, kFail);
  for (const auto number : kRefused) {
    program.at(at++) = {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number};
    program.at(at++) = statement(BPF_RET | BPF_K, kFail);
  }
  program.at(at++) = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  const sock_fprog filter{static_cast<unsigned short>(at), program.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

}  // namespace

bool enter_passing_folder() {
  const bool is_alone = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
  if (!is_alone || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  if (::mount("gpuharden", kPassingFolder, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=16m,mode=0700") != 0)
    return false;
  return ::setenv("POCL_CACHE_DIR", kPassingFolder, 1) == 0 && ::setenv("HOME", kPassingFolder, 1) == 0 &&
         ::setenv("TMPDIR", kPassingFolder, 1) == 0;
}

bool enter_worker_sandbox() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  return drop_capabilities() && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && load_filter();
}

}  // namespace gpuharden::kernels
