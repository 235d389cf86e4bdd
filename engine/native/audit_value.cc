// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_value.h"

#include <linux/audit.h>

#include <array>

#include "engine/base/text.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

constexpr std::uint32_t kUnset = ~std::uint32_t{0};
constexpr std::array<std::pair<char, std::uint32_t>, 4> kLetters = {
    {{'r', AUDIT_PERM_READ}, {'w', AUDIT_PERM_WRITE}, {'x', AUDIT_PERM_EXEC}, {'a', AUDIT_PERM_ATTR}}};

AuditValue bad(std::string_view text) { return {0, concat({"\"", text, "\" is no value of this field"}), {}}; }
AuditValue doubtful(std::string_view text) { return {0, {}, concat({"what \"", text, "\" stands for is not known"})}; }
AuditValue or_doubt(std::optional<std::uint32_t> number, std::string_view text) {
  return number ? AuditValue{*number, {}, {}} : doubtful(text);
}
AuditValue or_bad(std::optional<std::uint32_t> number, std::string_view text) {
  return number ? AuditValue{*number, {}, {}} : bad(text);
}

// As strtol with base 0, negative numbers included.
std::optional<std::uint32_t> read_number(std::string_view text) {
  const auto number = parse_c_integer(text);
  if (!number || *number < -(std::int64_t{1} << 31) || *number > kUnset) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

AuditValue read_account(std::uint32_t field, std::string_view text, const AuditWords& words) {
  if (text == "unset") return {kUnset, {}, {}};
  if (const auto number = read_number(text)) {
    // The kernel takes "not set" for the login alone.
    if (*number == kUnset && field != AUDIT_LOGINUID) return bad(text);
    return {*number, {}, {}};
  }
  const auto& names = is_audit_group_field(field) ? words.groups : words.users;
  const auto found = names.find(text);
  if (found != names.end()) return {found->second, {}, {}};
  return words.knows_accounts ? AuditValue{0, concat({"there is no account \"", text, "\""}), {}} : doubtful(text);
}

AuditValue read_exit(std::string_view text) {
  if (const auto number = read_number(text)) return {*number, {}, {}};
  const bool is_negative = text.starts_with('-');
  const auto number = audit_error_number(is_negative ? text.substr(1) : text);
  if (!number) return doubtful(text);
  return {is_negative ? ~*number + 1 : *number, {}, {}};
}

AuditValue read_machine(std::string_view text, const AuditWords& words) {
  const bool is_64 = words.machine != 0 && (words.machine & __AUDIT_ARCH_64BIT) != 0;
  if (text == "b64") return is_64 ? AuditValue{words.machine, {}, {}} : bad(text);
  if (text == "b32") return or_bad(is_64 ? audit_compat_machine(words.machine) : words.machine, text);
  if (const auto number = read_number(text)) return {*number, {}, {}};
  return or_doubt(audit_machine(text), text);
}

std::optional<std::uint32_t> file_system(std::string_view name) {
  if (name == "debugfs") return 0x64626720;
  if (name == "tracefs") return 0x74726163;
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> read_audit_perm(std::string_view letters) {
  std::uint32_t perm = 0;
  for (const char c : to_lower(letters)) {
    bool is_known = false;
    for (const auto& [letter, bit] : kLetters) {
      if (letter != c) continue;
      perm |= bit;
      is_known = true;
    }
    if (!is_known) return std::nullopt;
  }
  return letters.empty() || letters.size() > 4 ? std::nullopt : std::optional(perm);
}

std::string audit_perm_text(std::uint32_t perm) {
  std::string text;
  for (const auto& [letter, bit] : kLetters) {
    if ((perm & bit) != 0) text += letter;
  }
  return text;
}

AuditValue read_audit_value(std::uint32_t field, std::string_view text, const AuditWords& words) {
  if (is_audit_user_field(field) || is_audit_group_field(field)) return read_account(field, text, words);
  switch (field) {
    case AUDIT_EXIT: return read_exit(text);
    case AUDIT_ARCH: return read_machine(text, words);
    case AUDIT_PERM: return or_bad(read_audit_perm(text), text);
    case AUDIT_MSGTYPE:
      if (const auto number = read_number(text)) return {*number, {}, {}};
      return or_doubt(audit_message_number(text), text);
    case AUDIT_FILETYPE: return or_bad(audit_file_type_number(text), text);
    case AUDIT_FSTYPE:
      if (const auto number = read_number(text)) return {*number, {}, {}};
      return or_doubt(file_system(text), text);
    case AUDIT_SESSIONID:
      if (text == "unset") return {kUnset, {}, {}};
      [[fallthrough]];
    default: return or_bad(read_number(text), text);
  }
}

}  // namespace gpuharden
