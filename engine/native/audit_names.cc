// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_names.h"

#include <linux/audit.h>
#include <seccomp.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct Name {
  std::string_view word;
  std::uint32_t number;
};

// linux/audit.h of the oldest target lacks some of these.
constexpr std::uint32_t kSaddrFamily = 113;
constexpr std::uint32_t kUringList = 7;

constexpr std::array kFields = {
    Name{"pid", AUDIT_PID},
    Name{"uid", AUDIT_UID},
    Name{"euid", AUDIT_EUID},
    Name{"suid", AUDIT_SUID},
    Name{"fsuid", AUDIT_FSUID},
    Name{"gid", AUDIT_GID},
    Name{"egid", AUDIT_EGID},
    Name{"sgid", AUDIT_SGID},
    Name{"fsgid", AUDIT_FSGID},
    Name{"auid", AUDIT_LOGINUID},
    Name{"loginuid", AUDIT_LOGINUID},
    Name{"pers", AUDIT_PERS},
    Name{"arch", AUDIT_ARCH},
    Name{"msgtype", AUDIT_MSGTYPE},
    Name{"subj_user", AUDIT_SUBJ_USER},
    Name{"subj_role", AUDIT_SUBJ_ROLE},
    Name{"subj_type", AUDIT_SUBJ_TYPE},
    Name{"subj_sen", AUDIT_SUBJ_SEN},
    Name{"subj_clr", AUDIT_SUBJ_CLR},
    Name{"ppid", AUDIT_PPID},
    Name{"obj_user", AUDIT_OBJ_USER},
    Name{"obj_role", AUDIT_OBJ_ROLE},
    Name{"obj_type", AUDIT_OBJ_TYPE},
    Name{"obj_lev_low", AUDIT_OBJ_LEV_LOW},
    Name{"obj_lev_high", AUDIT_OBJ_LEV_HIGH},
    Name{"sessionid", AUDIT_SESSIONID},
    Name{"fstype", AUDIT_FSTYPE},
    Name{"devmajor", AUDIT_DEVMAJOR},
    Name{"devminor", AUDIT_DEVMINOR},
    Name{"inode", AUDIT_INODE},
    Name{"exit", AUDIT_EXIT},
    Name{"success", AUDIT_SUCCESS},
    Name{"path", AUDIT_WATCH},
    Name{"perm", AUDIT_PERM},
    Name{"dir", AUDIT_DIR},
    Name{"filetype", AUDIT_FILETYPE},
    Name{"obj_uid", AUDIT_OBJ_UID},
    Name{"obj_gid", AUDIT_OBJ_GID},
    Name{"exe", AUDIT_EXE},
    Name{"saddr_fam", kSaddrFamily},
    Name{"a0", AUDIT_ARG0},
    Name{"a1", AUDIT_ARG1},
    Name{"a2", AUDIT_ARG2},
    Name{"a3", AUDIT_ARG3},
    Name{"key", AUDIT_FILTERKEY},
};

// The longer sign first: it is looked for at one place of a text.
constexpr std::array kOperators = {
    Name{"!=", AUDIT_NOT_EQUAL},
    Name{">=", AUDIT_GREATER_THAN_OR_EQUAL},
    Name{"<=", AUDIT_LESS_THAN_OR_EQUAL},
    Name{"&=", AUDIT_BIT_TEST},
    Name{"=", AUDIT_EQUAL},
    Name{">", AUDIT_GREATER_THAN},
    Name{"<", AUDIT_LESS_THAN},
    Name{"&", AUDIT_BIT_MASK},
};

constexpr std::array kLists = {
    Name{"user", AUDIT_FILTER_USER},       Name{"task", AUDIT_FILTER_TASK},     Name{"exit", AUDIT_FILTER_EXIT},
    Name{"exclude", AUDIT_FILTER_EXCLUDE}, Name{"filesystem", AUDIT_FILTER_FS}, Name{"io_uring", kUringList},
};

// Those that rules are seen to exclude; others are given by number or stay unresolved.
constexpr std::array kMessages = {
    Name{"SYSCALL", 1300},   Name{"PATH", 1302},          Name{"IPC", 1303},           Name{"SOCKETCALL", 1304},
    Name{"SOCKADDR", 1306},  Name{"CWD", 1307},           Name{"EXECVE", 1309},        Name{"CONFIG_CHANGE", 1305},
    Name{"MMAP", 1323},      Name{"EOE", 1320},           Name{"NETFILTER_CFG", 1325}, Name{"SECCOMP", 1326},
    Name{"PROCTITLE", 1327}, Name{"BPRM_FCAPS", 1321},    Name{"KERN_MODULE", 1330},   Name{"BPF", 1334},
    Name{"AVC", 1400},       Name{"USER_AVC", 1107},      Name{"ANOM_ABEND", 1701},    Name{"CRYPTO_KEY_USER", 2404},
    Name{"USER_AUTH", 1100}, Name{"USER_ACCT", 1101},     Name{"CRED_ACQ", 1103},      Name{"CRED_DISP", 1104},
    Name{"CRED_REFR", 1110}, Name{"USER_START", 1105},    Name{"USER_END", 1106},      Name{"USER_LOGIN", 1112},
    Name{"USER_CMD", 1123},  Name{"SERVICE_START", 1130}, Name{"SERVICE_STOP", 1131},  Name{"CRYPTO_SESSION", 2407},
    Name{"LOGIN", 1006},     Name{"TTY", 1319},           Name{"USER", 1005},          Name{"DAEMON_ROTATE", 1205},
};

constexpr std::array kFileTypes = {
    Name{"file", S_IFREG},      Name{"dir", S_IFDIR},   Name{"socket", S_IFSOCK}, Name{"link", S_IFLNK},
    Name{"character", S_IFCHR}, Name{"block", S_IFBLK}, Name{"fifo", S_IFIFO},
};

constexpr std::array kErrors = {
    Name{"EPERM", EPERM},   Name{"ENOENT", ENOENT}, Name{"EINTR", EINTR},   Name{"EIO", EIO},
    Name{"EBADF", EBADF},   Name{"EAGAIN", EAGAIN}, Name{"ENOMEM", ENOMEM}, Name{"EACCES", EACCES},
    Name{"EFAULT", EFAULT}, Name{"EBUSY", EBUSY},   Name{"EEXIST", EEXIST}, Name{"ENODEV", ENODEV},
    Name{"EINVAL", EINVAL}, Name{"ENOSPC", ENOSPC}, Name{"EROFS", EROFS},   Name{"ENOSYS", ENOSYS},
};

struct Comparison {
  std::string_view left, right;
  std::uint32_t number;
};
constexpr std::array kComparisons = {
    Comparison{"uid", "obj_uid", 1},  Comparison{"gid", "obj_gid", 2},   Comparison{"euid", "obj_uid", 3},
    Comparison{"egid", "obj_gid", 4}, Comparison{"auid", "obj_uid", 5},  Comparison{"suid", "obj_uid", 6},
    Comparison{"sgid", "obj_gid", 7}, Comparison{"fsuid", "obj_uid", 8}, Comparison{"fsgid", "obj_gid", 9},
    Comparison{"uid", "auid", 10},    Comparison{"uid", "euid", 11},     Comparison{"uid", "fsuid", 12},
    Comparison{"uid", "suid", 13},    Comparison{"auid", "fsuid", 14},   Comparison{"auid", "suid", 15},
    Comparison{"auid", "euid", 16},   Comparison{"euid", "suid", 17},    Comparison{"euid", "fsuid", 18},
    Comparison{"suid", "fsuid", 19},  Comparison{"gid", "egid", 20},     Comparison{"gid", "fsgid", 21},
    Comparison{"gid", "sgid", 22},    Comparison{"egid", "fsgid", 23},   Comparison{"egid", "sgid", 24},
    Comparison{"sgid", "fsgid", 25},
};

struct Machine {
  std::string_view word;
  std::uint32_t number, compat;  // compat 0: none
};
constexpr std::array kMachines = {
    Machine{"x86_64", AUDIT_ARCH_X86_64, AUDIT_ARCH_I386},
    Machine{"i386", AUDIT_ARCH_I386, 0},
    Machine{"i486", AUDIT_ARCH_I386, 0},
    Machine{"i586", AUDIT_ARCH_I386, 0},
    Machine{"i686", AUDIT_ARCH_I386, 0},
    Machine{"aarch64", AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM},
    Machine{"arm", AUDIT_ARCH_ARM, 0},
    Machine{"armv7l", AUDIT_ARCH_ARM, 0},
    Machine{"ppc64le", AUDIT_ARCH_PPC64LE, 0},
    Machine{"ppc64", AUDIT_ARCH_PPC64, AUDIT_ARCH_PPC},
    Machine{"ppc", AUDIT_ARCH_PPC, 0},
    Machine{"s390x", AUDIT_ARCH_S390X, AUDIT_ARCH_S390},
    Machine{"s390", AUDIT_ARCH_S390, 0},
    Machine{"riscv64", AUDIT_ARCH_RISCV64, 0},
};

// libseccomp knows these of i386 only as parts of socketcall(2).
constexpr std::array kSocketCallsOfI386 = {
    Name{"socket", 359},      Name{"socketpair", 360},  Name{"bind", 361},       Name{"connect", 362},
    Name{"listen", 363},      Name{"accept4", 364},     Name{"getsockopt", 365}, Name{"setsockopt", 366},
    Name{"getsockname", 367}, Name{"getpeername", 368}, Name{"sendto", 369},     Name{"sendmsg", 370},
    Name{"recvfrom", 371},    Name{"recvmsg", 372},     Name{"shutdown", 373},
};
// Names of other parts of socketcall(2) and ipc(2) lie between these.
constexpr int kFirstPart = -101;
constexpr int kLastPart = -299;

template <typename Names>
std::optional<std::uint32_t> number_of(const Names& names, std::string_view word) {
  for (const auto& name : names) {
    if (name.word == word) return name.number;
  }
  return std::nullopt;
}

template <typename Names>
std::string_view word_of(const Names& names, std::uint32_t number) {
  for (const auto& name : names) {
    if (name.number == number) return name.word;
  }
  return {};
}

}  // namespace

bool is_audit_text_field(std::uint32_t field) {
  return field == AUDIT_WATCH || field == AUDIT_DIR || field == AUDIT_EXE || field == AUDIT_FILTERKEY ||
         (field >= AUDIT_SUBJ_USER && field <= AUDIT_SUBJ_CLR) ||
         (field >= AUDIT_OBJ_USER && field <= AUDIT_OBJ_LEV_HIGH);
}

bool is_audit_user_field(std::uint32_t field) {
  return (field >= AUDIT_UID && field <= AUDIT_FSUID) || field == AUDIT_LOGINUID || field == AUDIT_OBJ_UID;
}

bool is_audit_group_field(std::uint32_t field) {
  return (field >= AUDIT_GID && field <= AUDIT_FSGID) || field == AUDIT_OBJ_GID;
}

std::optional<std::uint32_t> audit_field_number(std::string_view name) { return number_of(kFields, to_lower(name)); }

std::string audit_field_name(std::uint32_t field) {
  const auto word = word_of(kFields, field);
  return word.empty() ? "f" + std::to_string(field) : std::string(word);
}

std::optional<std::uint32_t> audit_operator_number(std::string_view sign) { return number_of(kOperators, sign); }
std::string_view audit_operator_sign(std::uint32_t op) {
  const auto sign = word_of(kOperators, op);
  return sign.empty() ? "?" : sign;
}

std::optional<std::uint32_t> audit_list_number(std::string_view name) { return number_of(kLists, name); }
std::string audit_list_name(std::uint32_t list) {
  const auto word = word_of(kLists, list);
  return word.empty() ? "list" + std::to_string(list) : std::string(word);
}

std::optional<std::uint32_t> audit_message_number(std::string_view name) { return number_of(kMessages, name); }
std::optional<std::uint32_t> audit_file_type_number(std::string_view name) { return number_of(kFileTypes, name); }
std::optional<std::uint32_t> audit_error_number(std::string_view name) { return number_of(kErrors, name); }

std::optional<std::uint32_t> audit_comparison_number(std::string_view left, std::string_view right) {
  for (const auto& one : kComparisons) {
    if ((one.left == left && one.right == right) || (one.left == right && one.right == left)) return one.number;
  }
  return std::nullopt;
}

std::optional<std::pair<std::string_view, std::string_view>> audit_comparison_fields(std::uint32_t value) {
  for (const auto& one : kComparisons) {
    if (one.number == value) return std::pair(one.left, one.right);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> audit_machine(std::string_view name) { return number_of(kMachines, name); }

std::optional<std::uint32_t> audit_compat_machine(std::uint32_t machine) {
  for (const auto& one : kMachines) {
    if (one.number == machine && one.compat != 0) return one.compat;
  }
  return std::nullopt;
}

SyscallNumber syscall_number(std::uint32_t machine, const std::string& name) {
  const int number = seccomp_syscall_resolve_name_arch(machine, name.c_str());
  if (number >= 0) return {SyscallKnown::kYes, static_cast<std::uint32_t>(number)};
  if (machine == AUDIT_ARCH_I386) {
    if (const auto direct = number_of(kSocketCallsOfI386, name)) return {SyscallKnown::kYes, *direct};
  }
  // Names that only other machines have get numbers below these.
  const bool is_doubtful = number == __NR_SCMP_ERROR || (number <= kFirstPart && number >= kLastPart);
  return {is_doubtful ? SyscallKnown::kNo : SyscallKnown::kElsewhere, 0};
}

std::string syscall_name(std::uint32_t machine, std::uint32_t number) {
  const std::unique_ptr<char, void (*)(void*)> name(seccomp_syscall_resolve_num_arch(machine, static_cast<int>(number)),
                                                    &std::free);
  return name ? std::string(name.get()) : std::to_string(number);
}

}  // namespace gpuharden
