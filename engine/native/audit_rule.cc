// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_rule.h"

#include <linux/audit.h>
#include <linux/netlink.h>

#include <cstring>

#include "engine/base/text.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

// The fixed part of struct audit_rule_data; its strings follow.
struct FixedPart {
  std::uint32_t flags, action, field_count;
  std::uint32_t mask[AUDIT_BITMASK_SIZE];
  std::uint32_t fields[AUDIT_MAX_FIELDS], values[AUDIT_MAX_FIELDS], operators[AUDIT_MAX_FIELDS];
  std::uint32_t text_length;
};
static_assert(sizeof(FixedPart) == 1040);

Error malformed(std::string_view what, std::size_t left) {
  return {ErrorCode::kMalformed, concat({"audit: ", what, " ", std::to_string(left), " bytes before the end"})};
}

// `strings` are the texts of the fields, one after the other.
Result<AuditRule> rule_of(const FixedPart& fixed, std::string_view strings) {
  AuditRule rule;
  rule.list = fixed.flags & ~std::uint32_t{AUDIT_FILTER_PREPEND};
  rule.prepend = (fixed.flags & AUDIT_FILTER_PREPEND) != 0;
  rule.action = fixed.action;
  std::memcpy(rule.mask.data(), fixed.mask, sizeof fixed.mask);
  for (std::size_t i = 0; i < fixed.field_count; ++i) {
    AuditField field{fixed.fields[i], fixed.operators[i], fixed.values[i], {}};
    if (is_audit_text_field(field.field)) {
      if (field.value > strings.size()) return malformed("a text is cut", strings.size());
      field.text = strings.substr(0, field.value);
      strings.remove_prefix(field.value);
      field.value = 0;
    }
    rule.fields.push_back(std::move(field));
  }
  return rule;
}

Result<AuditRule> rule_of_payload(std::string_view payload) {
  FixedPart fixed{};
  if (payload.size() < sizeof fixed) return malformed("a rule is cut", payload.size());
  std::memcpy(&fixed, payload.data(), sizeof fixed);
  if (fixed.field_count > AUDIT_MAX_FIELDS) return malformed("too many fields", payload.size());
  const auto strings = payload.substr(sizeof fixed);
  if (fixed.text_length > strings.size()) return malformed("the texts are cut", payload.size());
  return rule_of(fixed, strings.substr(0, fixed.text_length));
}

}  // namespace

bool has_all_syscalls(const SyscallMask& mask) {
  for (std::size_t word = 0; word + 1 < mask.size(); ++word) {
    if (mask[word] != ~std::uint32_t{0}) return false;
  }
  return true;
}

bool has_syscall(const SyscallMask& mask, std::uint32_t number) {
  return number / 32 < mask.size() && (mask[number / 32] >> (number % 32) & 1U) != 0;
}

void add_syscall(SyscallMask& mask, std::uint32_t number) {
  if (number / 32 < mask.size()) mask[number / 32] |= 1U << (number % 32);
}

void add_all_syscalls(SyscallMask& mask) {
  mask.fill(~std::uint32_t{0});
  // The kernel takes the upper bits for classes of calls and does not give them back.
  mask.back() = 0xffff;
}

Result<std::vector<AuditRule>> decode_audit_rules(std::string_view messages) {
  std::vector<AuditRule> rules;
  while (!messages.empty()) {
    nlmsghdr header{};
    if (messages.size() < sizeof header) return malformed("a message is cut", messages.size());
    std::memcpy(&header, messages.data(), sizeof header);
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > messages.size())
      return malformed("a message is cut", messages.size());
    if (header.nlmsg_type != AUDIT_LIST_RULES) return malformed("no rule", messages.size());
    GH_ASSIGN_OR_RETURN(AuditRule rule,
                        rule_of_payload(messages.substr(sizeof header, header.nlmsg_len - sizeof header)));
    rules.push_back(std::move(rule));
    messages.remove_prefix(std::min<std::size_t>(NLMSG_ALIGN(header.nlmsg_len), messages.size()));
  }
  return rules;
}

std::string encode_audit_rules(const std::vector<AuditRule>& rules) {
  std::string messages;
  for (const auto& rule : rules) {
    FixedPart fixed{};
    std::string strings;
    fixed.flags = rule.list | (rule.prepend ? std::uint32_t{AUDIT_FILTER_PREPEND} : 0);
    fixed.action = rule.action;
    std::memcpy(fixed.mask, rule.mask.data(), sizeof fixed.mask);
    for (const auto& field : rule.fields) {
      if (fixed.field_count == AUDIT_MAX_FIELDS) break;
      const bool is_text = is_audit_text_field(field.field);
      fixed.fields[fixed.field_count] = field.field;
      fixed.operators[fixed.field_count] = field.op;
      fixed.values[fixed.field_count++] = is_text ? static_cast<std::uint32_t>(field.text.size()) : field.value;
      if (is_text) strings += field.text;
    }
    fixed.text_length = static_cast<std::uint32_t>(strings.size());
    nlmsghdr header{};
    header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + sizeof fixed + strings.size());
    header.nlmsg_type = AUDIT_LIST_RULES;
    header.nlmsg_flags = NLM_F_MULTI;
    messages.append(reinterpret_cast<const char*>(&header), sizeof header);
    messages.append(reinterpret_cast<const char*>(&fixed), sizeof fixed);
    messages.append(strings);
    messages.append(NLMSG_ALIGN(header.nlmsg_len) - header.nlmsg_len, '\0');
  }
  return messages;
}

}  // namespace gpuharden
