// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_control.h"

#include <linux/audit.h>
#include <linux/netlink.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <cerrno>

#include "engine/base/text.h"
#include "engine/native/audit.h"
#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"
#include "engine/native/audit_socket.h"

namespace gpuharden {
namespace {

Result<std::uint32_t> this_machine() {
  utsname name{};
  if (::uname(&name) != 0) return error_from_errno(errno, "uname");
  if (const auto machine = audit_machine(name.machine)) return *machine;
  return Error{ErrorCode::kUnsupported, concat({"audit: the machine ", name.machine, " is not known"})};
}

Error unloadable(ErrorCode code, std::string_view line, std::string_view reason) {
  return {code, concat({"audit rule \"", line, "\": ", reason})};
}

// The kernel resolves the folder when the rule comes, and only then.
Status check_folder(std::string_view line, const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = path.substr(0, slash == 0 ? 1 : slash);
  struct stat found {};
  if (::stat(folder.c_str(), &found) != 0)
    return unloadable(ErrorCode::kNotFound, line, error_from_errno(errno, folder).message);
  return {};
}

// A rule as the kernel's list holds it; nothing when it is not there.
Result<std::vector<AuditRule>> find_loaded(std::string_view text, std::uint32_t machine) {
  GH_ASSIGN_OR_RETURN(const std::string messages, list_audit_rules());
  GH_ASSIGN_OR_RETURN(std::vector<AuditRule> rules, decode_audit_rules(messages));
  std::erase_if(rules, [&](const AuditRule& rule) { return audit_rule_text(rule, machine) != text; });
  return rules;
}

// 0 or the kernel's errno.
Result<int> tell(std::uint16_t type, const AuditRule& rule) {
  const std::string payload = encode_audit_rules({rule}).substr(NLMSG_HDRLEN);
  GH_ASSIGN_OR_RETURN(AuditSocket kernel, AuditSocket::tell(type, payload));
  auto message = kernel.receive();
  if (!message && kernel.refusal() == 0) return std::move(message).error();
  return kernel.refusal();
}

Error refusal(std::string_view line, int errno_value) {
  if (errno_value != EPERM) return error_from_errno(errno_value, concat({"audit rule \"", line, "\""}));
  const auto message = ask_audit_status();
  const auto status = message ? decode_audit_status(*message) : Result<AuditStatus>(message.error());
  if (status && status->enabled == 2)
    return unloadable(ErrorCode::kPermission, line, "the rules are locked (enabled 2) until the next boot");
  return unloadable(ErrorCode::kPermission, line, "changing rules takes CAP_AUDIT_CONTROL");
}

}  // namespace

Result<AuditRule> loadable_audit_rule(std::string_view line) {
  AuditWords words;
  GH_ASSIGN_OR_RETURN(words.machine, this_machine());
  words.knows_accounts = false;
  auto parsed = parse_audit_line(line, words);
  if (parsed.kind == AuditLine::Kind::kBad) return unloadable(ErrorCode::kMalformed, line, parsed.error);
  if (parsed.kind != AuditLine::Kind::kRule) return unloadable(ErrorCode::kMalformed, line, "it is no rule");
  if (!parsed.doubt.empty()) return unloadable(ErrorCode::kUnsupported, line, parsed.doubt);
  for (auto& field : parsed.rule.fields) {
    if (field.field != AUDIT_WATCH && field.field != AUDIT_DIR && field.field != AUDIT_EXE) continue;
    GH_RETURN_IF_ERROR(check_folder(line, field.text));
    struct stat found {};
    const bool is_folder = ::stat(field.text.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
    if (parsed.is_watch && is_folder) field.field = AUDIT_DIR;
    if (field.field == AUDIT_DIR && !is_folder)
      return unloadable(ErrorCode::kNotFound, line, concat({field.text, " is no folder"}));
  }
  return std::move(parsed.rule);
}

Result<std::string> canonical_audit_rule(std::string_view line) {
  GH_ASSIGN_OR_RETURN(const std::uint32_t machine, this_machine());
  GH_ASSIGN_OR_RETURN(const AuditRule rule, loadable_audit_rule(line));
  return audit_rule_text(rule, machine);
}

Result<std::vector<std::string>> loaded_audit_rules() {
  GH_ASSIGN_OR_RETURN(const std::uint32_t machine, this_machine());
  GH_ASSIGN_OR_RETURN(const std::string messages, list_audit_rules());
  GH_ASSIGN_OR_RETURN(const std::vector<AuditRule> rules, decode_audit_rules(messages));
  std::vector<std::string> lines;
  for (const auto& rule : rules) lines.push_back(audit_rule_text(rule, machine));
  return lines;
}

Status add_kernel_audit_rule(std::string_view line) {
  GH_ASSIGN_OR_RETURN(const AuditRule rule, loadable_audit_rule(line));
  GH_ASSIGN_OR_RETURN(const int refused, tell(AUDIT_ADD_RULE, rule));
  if (refused != 0 && refused != EEXIST) return refusal(line, refused);
  GH_ASSIGN_OR_RETURN(const std::uint32_t machine, this_machine());
  // What the kernel took is what it holds: it passes over a field that it does not know how to compare.
  GH_ASSIGN_OR_RETURN(const auto found, find_loaded(audit_rule_text(rule, machine), machine));
  if (found.empty()) return unloadable(ErrorCode::kIo, line, "the kernel took it, and does not list it");
  return {};
}

Status delete_kernel_audit_rule(std::string_view line) {
  AuditWords words;
  GH_ASSIGN_OR_RETURN(words.machine, this_machine());
  words.knows_accounts = false;
  const auto parsed = parse_audit_line(line, words);
  if (parsed.kind != AuditLine::Kind::kRule) return unloadable(ErrorCode::kMalformed, line, "it is no rule");
  GH_ASSIGN_OR_RETURN(const auto found, find_loaded(audit_rule_text(parsed.rule, words.machine), words.machine));
  if (found.empty()) return {};
  GH_ASSIGN_OR_RETURN(const int refused, tell(AUDIT_DEL_RULE, found.front()));
  if (refused != 0 && refused != ENOENT) return refusal(line, refused);
  return {};
}

}  // namespace gpuharden
