// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/sandbox.h"

#include <fcntl.h>
#include <grp.h>
#include <seccomp.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr uid_t kNobody = 65534;

// Files of others, processes of others, the packet filter, whose netlink socket answers nobody without
// CAP_NET_ADMIN, and the kernel's audit rules.
constexpr std::array<cap_value_t, 5> kKept = {CAP_DAC_READ_SEARCH, CAP_SYS_PTRACE, CAP_SYSLOG, CAP_NET_ADMIN,
                                              CAP_AUDIT_CONTROL};

// Everything that reading files, netlink dumps and talking to the parent takes. Sorted.
constexpr std::array kAllowedCalls = {SCMP_SYS(access),
                                      SCMP_SYS(bind),
                                      SCMP_SYS(brk),
                                      SCMP_SYS(capget),
                                      SCMP_SYS(clock_getres),
                                      SCMP_SYS(clock_gettime),
                                      SCMP_SYS(clock_nanosleep),
                                      SCMP_SYS(close),
                                      SCMP_SYS(close_range),
                                      SCMP_SYS(dup),
                                      SCMP_SYS(exit),
                                      SCMP_SYS(exit_group),
                                      SCMP_SYS(faccessat),
                                      SCMP_SYS(faccessat2),
                                      SCMP_SYS(fcntl),
                                      SCMP_SYS(fgetxattr),
                                      SCMP_SYS(fstat),
                                      SCMP_SYS(fstatfs),
                                      SCMP_SYS(futex),
                                      SCMP_SYS(getcwd),
                                      SCMP_SYS(getdents64),
                                      SCMP_SYS(getegid),
                                      SCMP_SYS(geteuid),
                                      SCMP_SYS(getgid),
                                      SCMP_SYS(getpid),
                                      SCMP_SYS(getppid),
                                      SCMP_SYS(getrandom),
                                      SCMP_SYS(getrlimit),
                                      SCMP_SYS(getsockname),
                                      SCMP_SYS(getsockopt),
                                      SCMP_SYS(gettid),
                                      SCMP_SYS(gettimeofday),
                                      SCMP_SYS(getuid),
                                      SCMP_SYS(getxattr),
                                      SCMP_SYS(lgetxattr),
                                      SCMP_SYS(lseek),
                                      SCMP_SYS(lstat),
                                      SCMP_SYS(madvise),
                                      SCMP_SYS(mmap),
                                      SCMP_SYS(mprotect),
                                      SCMP_SYS(mremap),
                                      SCMP_SYS(munmap),
                                      SCMP_SYS(nanosleep),
                                      SCMP_SYS(newfstatat),
                                      SCMP_SYS(openat2),
                                      SCMP_SYS(poll),
                                      SCMP_SYS(ppoll),
                                      SCMP_SYS(pread64),
                                      SCMP_SYS(read),
                                      SCMP_SYS(readlink),
                                      SCMP_SYS(readlinkat),
                                      SCMP_SYS(readv),
                                      SCMP_SYS(recvfrom),
                                      SCMP_SYS(recvmsg),
                                      SCMP_SYS(restart_syscall),
                                      SCMP_SYS(rseq),
                                      SCMP_SYS(rt_sigaction),
                                      SCMP_SYS(rt_sigprocmask),
                                      SCMP_SYS(rt_sigreturn),
                                      SCMP_SYS(sched_yield),
                                      SCMP_SYS(sendmsg),
                                      SCMP_SYS(sendto),
                                      SCMP_SYS(set_robust_list),
                                      SCMP_SYS(setsockopt),
                                      SCMP_SYS(sigaltstack),
                                      SCMP_SYS(stat),
                                      SCMP_SYS(statfs),
                                      SCMP_SYS(statx),
                                      SCMP_SYS(tgkill),
                                      SCMP_SYS(time),
                                      SCMP_SYS(uname),
                                      SCMP_SYS(write),
                                      SCMP_SYS(writev)};

void limit_resources() {
  const rlimit none{0, 0};
  // Whatever could still be opened for writing cannot take a byte.
  ::setrlimit(RLIMIT_FSIZE, &none);
  ::setrlimit(RLIMIT_CORE, &none);
}

// Keeps the named capabilities over the change of user, and nothing else.
void drop_root(std::vector<std::string>& warnings) {
  ::prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
  const bool dropped = ::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
                       ::setresuid(kNobody, kNobody, kNobody) == 0;
  if (!dropped) warnings.push_back(error_from_errno(errno, "the reader could not become uid 65534").message);
  const Handle<std::remove_pointer_t<cap_t>, &cap_free> now(cap_get_proc());
  const Handle<std::remove_pointer_t<cap_t>, &cap_free> wanted(cap_init());
  std::vector<cap_value_t> kept;
  for (const cap_value_t capability : kKept) {
    cap_flag_value_t permitted = CAP_CLEAR;
    cap_get_flag(now.get(), capability, CAP_PERMITTED, &permitted);
    if (permitted == CAP_SET) kept.push_back(capability);
  }
  cap_set_flag(wanted.get(), CAP_PERMITTED, static_cast<int>(kept.size()), kept.data(), CAP_SET);
  cap_set_flag(wanted.get(), CAP_EFFECTIVE, static_cast<int>(kept.size()), kept.data(), CAP_SET);
  if (cap_set_proc(wanted.get()) != 0)
    warnings.push_back(error_from_errno(errno, "the reader could not drop its capabilities").message);
}

Status fail(int code, std::string_view what) { return error_from_errno(-code, what); }

// syslog(2) can also clear the log and change what goes to the console.
Status allow_looking_at_kernel_log(scmp_filter_ctx filter) {
  constexpr scmp_datum_t kReadAll = 3;
  constexpr scmp_datum_t kBufferSize = 10;
  for (const auto action : {kReadAll, kBufferSize}) {
    const int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(syslog), 1, SCMP_A0(SCMP_CMP_EQ, action));
    if (code != 0) return fail(code, "seccomp: syslog");
  }
  return {};
}

Status load_filter() {
  const Handle<void, &seccomp_release> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (!filter) return Error{ErrorCode::kLibrary, "seccomp: no filter could be made"};
  for (const int call : kAllowedCalls) {
    // A call that this architecture does not know is refused anyway.
    const int code = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
    if (code != 0 && code != -EDOM) return fail(code, "seccomp: allowing a call");
  }
  constexpr scmp_datum_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;
  int code = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                              SCMP_A2(SCMP_CMP_MASKED_EQ, kWrites, O_RDONLY));
  if (code != 0) return fail(code, "seccomp: openat");
  seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, kWrites, O_RDONLY));
  code = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, AF_NETLINK));
  if (code != 0) return fail(code, "seccomp: socket");
  GH_RETURN_IF_ERROR(allow_looking_at_kernel_log(filter.get()));
  code = seccomp_load(filter.get());
  return code == 0 ? Status() : fail(code, "seccomp: loading the filter");
}

}  // namespace

Result<std::vector<std::string>> enter_reader_sandbox() {
  std::vector<std::string> warnings;
  limit_resources();
  if (::geteuid() == 0) drop_root(warnings);
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return error_from_errno(errno, "no_new_privs");
  GH_RETURN_IF_ERROR(load_filter());
  return warnings;
}

}  // namespace gpuharden
