// SPDX-License-Identifier: GPL-2.0-or-later
// The words of auditctl for the kernel's audit numbers. System calls by libseccomp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// Whether the value is a text (path, dir, exe, key, SELinux labels).
bool is_audit_text_field(std::uint32_t field);
// auid and uid fields take names of users, gid fields those of groups.
bool is_audit_user_field(std::uint32_t field);
bool is_audit_group_field(std::uint32_t field);

std::optional<std::uint32_t> audit_field_number(std::string_view name);
// "f113" for a number that has no name here.
std::string audit_field_name(std::uint32_t field);
// "=", "!=", ">=", …
std::optional<std::uint32_t> audit_operator_number(std::string_view sign);
std::string_view audit_operator_sign(std::uint32_t op);
// "exit", "task", "user", "exclude", "filesystem", "io_uring".
std::optional<std::uint32_t> audit_list_number(std::string_view name);
std::string audit_list_name(std::uint32_t list);

std::optional<std::uint32_t> audit_message_number(std::string_view name);  // CWD, PATH, …
std::optional<std::uint32_t> audit_file_type_number(std::string_view name);
std::optional<std::uint32_t> audit_error_number(std::string_view name);  // EACCES
// The value of a field comparison: ("auid", "uid") and ("uid", "auid") are the same.
std::optional<std::uint32_t> audit_comparison_number(std::string_view left, std::string_view right);
// "auid" and "uid"; nothing for an unknown number.
std::optional<std::pair<std::string_view, std::string_view>> audit_comparison_fields(std::uint32_t value);

// The audit number of a machine as uname(2) and auditctl name it: x86_64, aarch64, i686 …
std::optional<std::uint32_t> audit_machine(std::string_view name);
// Of its 32-bit calls; nothing where there are none.
std::optional<std::uint32_t> audit_compat_machine(std::uint32_t machine);

enum class SyscallKnown : std::uint8_t {
  kYes,
  kElsewhere,  // other machines have it, this one does not
  kNo,         // no machine that this library knows has it: it may be newer than the library
};
struct SyscallNumber {
  SyscallKnown known = SyscallKnown::kNo;
  std::uint32_t number = 0;
};
SyscallNumber syscall_number(std::uint32_t machine, const std::string& name);
// The number as text where it has no name.
std::string syscall_name(std::uint32_t machine, std::uint32_t number);

}  // namespace gpuharden
