// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_facts.h"

#include <unordered_map>

#include "checks/accounts/accounts.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

// Rules that differ in nothing but their system calls.
constexpr std::size_t kMaxTwins = 64;

// The machine of an image is seen by its loader.
std::uint32_t machine_of(const Host& host) {
  const auto name = host.kernel_name();
  if (name) return audit_machine(name->machine).value_or(audit_machine("x86_64").value_or(0));
  const bool is_arm = host.files().stat("/lib/ld-linux-aarch64.so.1").has_value();
  return audit_machine(is_arm ? "aarch64" : "x86_64").value_or(0);
}

AuditWords words_of(const Host& host, std::uint32_t machine) {
  AuditWords words;
  words.machine = machine;
  const Accounts accounts = read_accounts(host);
  for (const auto& user : accounts.users) words.users.emplace(user.name, user.uid);
  for (const auto& group : accounts.groups) words.groups.emplace(group.name, group.gid);
  words.knows_accounts = accounts.user_errors.empty() && accounts.group_errors.empty();
  return words;
}

Result<AuditStatus> read_status(const Host& host) {
  GH_ASSIGN_OR_RETURN(const std::string message, host.audit_status());
  return decode_audit_status(message);
}

Result<std::vector<AuditRule>> read_kernel_rules(const Host& host) {
  GH_ASSIGN_OR_RETURN(const std::string messages, host.audit_rules());
  return decode_audit_rules(messages);
}

// Without -S the calls are the library's choice, and libraries differ.
bool is_same(const AuditRuleEntry& written, const AuditRuleEntry& loaded) {
  return !written.names_syscalls || written.rule.mask == loaded.rule.mask;
}

void compare_sets(AuditFacts& facts) {
  std::unordered_multimap<std::string, std::size_t> loaded;
  for (std::size_t i = 0; i < facts.kernel.rules.size(); ++i)
    loaded.emplace(audit_identity(facts.kernel.rules[i].rule), i);
  facts.is_configured.assign(facts.kernel.rules.size(), false);
  facts.is_loaded.assign(facts.boot.rules.size(), false);
  for (std::size_t i = 0; i < facts.boot.rules.size(); ++i) {
    const auto& written = facts.boot.rules[i];
    if (!written.is_rule) continue;
    const auto [first, last] = loaded.equal_range(audit_identity(written.rule));
    std::size_t tries = 0;
    for (auto found = first; found != last && tries < kMaxTwins; ++found, ++tries) {
      if (!is_same(written, facts.kernel.rules[found->second])) continue;
      facts.is_loaded[i] = true;
      facts.is_configured[found->second] = true;
      break;
    }
  }
}

}  // namespace

AuditFacts read_audit_facts(const Host& host) {
  AuditFacts facts;
  facts.machines.wide = machine_of(host);
  facts.machines.narrow = audit_compat_machine(facts.machines.wide);
  facts.status = read_status(host);
  auto rules = read_kernel_rules(host);
  if (rules) {
    facts.kernel = kernel_rule_set(std::move(*rules), host.files(), facts.machines.wide);
  } else if (rules.error().code != ErrorCode::kNotFound) {
    facts.kernel_error = rules.error();
  }
  const AuditScript script = read_audit_script(host.files());
  facts.boot_source = script.source;
  facts.boot = boot_rule_set(script, host.files(), words_of(host, facts.machines.wide), facts.settings);
  compare_sets(facts);
  return facts;
}

}  // namespace gpuharden
