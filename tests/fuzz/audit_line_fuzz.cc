// SPDX-License-Identifier: GPL-2.0-or-later
// Files of /etc/audit/rules.d: merged as augenrules does, each line read as auditctl does.
#include "checks/audit/augenrules.h"
#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  const std::string text(test::text_of(data, size));
  AuditWords words;
  words.machine = audit_machine("x86_64").value_or(0);
  words.users = {{"root", 0}};
  const auto middle = text.size() / 2;
  const auto script = merge_audit_rules({{"/a.rules", text.substr(0, middle)}, {"/b.rules", text.substr(middle)}});
  for (const auto& line : script) {
    const auto parsed = parse_audit_line(line.text, words);
    if (parsed.kind != AuditLine::Kind::kRule) continue;
    const auto again = decode_audit_rules(encode_audit_rules({parsed.rule}));
    test::require(again.has_value() && again->size() == 1 && again->front() == parsed.rule);
    static_cast<void>(audit_rule_text(parsed.rule, words.machine));
  }
  static_cast<void>(is_before_in_natural_order(text.substr(0, middle), text.substr(middle)));
  return 0;
}
