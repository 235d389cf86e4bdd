// SPDX-License-Identifier: GPL-2.0-or-later
// What the kernel's audit answers.
#include "engine/native/audit.h"
#include "engine/native/audit_line.h"
#include "engine/native/audit_names.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  const std::string text(test::text_of(data, size));
  static_cast<void>(decode_audit_status(text));
  static_cast<void>(has_audit_family(text));
  const auto rules = decode_audit_rules(text);
  if (!rules) return 0;
  const auto again = decode_audit_rules(encode_audit_rules(*rules));
  test::require(again.has_value() && *again == *rules);
  for (const auto& rule : *rules) static_cast<void>(audit_rule_text(rule, audit_machine("x86_64").value_or(0)));
  return 0;
}
