// SPDX-License-Identifier: GPL-2.0-or-later
// Which system calls the audit rules record, whatever path they are made on.
#include <linux/audit.h>

#include "checks/audit/audit_facts.h"
#include "checks/audit/string_list.h"
#include "engine/native/audit_names.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"asked", ColumnType::kText, "JSON list of names of system calls", ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "kernel: the rules that it holds; boot: those that the next boot loads",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"call", ColumnType::kText, "one of the names", ColumnFlag::kNotNull},
    {"arch", ColumnType::kText, "b64 or b32: of which programs", ColumnFlag::kNotNull},
    {"recorded", ColumnType::kBoolean, "1 when every such call is recorded", ColumnFlag::kNotNull},
    {"rule", ColumnType::kText,
     "the rule that records it; else the first that does so under conditions; NULL for none"},
    {"file", ColumnType::kPath, "where that rule stands; NULL for the kernel's"},
    {"line", ColumnType::kInteger, "line in that file"},
};

class CallsWriter {
 public:
  CallsWriter(TableReader& out, const AuditFacts& facts) : out_(out), facts_(facts) {}

  void write(std::string_view source, const AuditRuleSet& set, const std::vector<std::string>& asked) {
    for (const auto& error : set.errors) out_.gap(source, "*", error);
    for (const auto& entry : set.rules) {
      if (entry.doubt) out_.gap(source, "*", *entry.doubt);
    }
    const AuditCoverageIndex index(set, facts_.machines);
    for (const auto& call : asked) {
      add(source, index, call, facts_.machines.wide, "b64");
      if (facts_.machines.narrow) add(source, index, call, *facts_.machines.narrow, "b32");
    }
  }

 private:
  // A call that these programs do not have needs no rule.
  void add(std::string_view source, const AuditCoverageIndex& index, const std::string& name, std::uint32_t machine,
           std::string_view arch) {
    const auto number = syscall_number(machine, name);
    if (number.known != SyscallKnown::kYes) return;
    const auto call = index.of_call(machine, number.number);
    auto row = out_.row();
    row.set("asked", out_.argument("asked")).set("source", source).set("call", name).set("arch", arch);
    row.set("recorded", call.is_recorded);
    const auto* rule = call.rule != nullptr ? call.rule : call.filter;
    if (rule == nullptr) return;
    row.set("rule", rule->text);
    if (!rule->file.empty()) row.set("file", rule->file).set("line", rule->line);
  }

  TableReader& out_;
  const AuditFacts& facts_;
};

void read_audit_calls(TableReader& out) {
  const auto asked = parse_string_list(out.argument("asked"));
  if (!asked) return out.gap(asked.error());
  const auto& facts = out.shared().get<AuditFacts>(out.host(), &read_audit_facts);
  CallsWriter writer(out, facts);
  write_audit_sources(out, facts, writer, *asked);
}

}  // namespace

Probe audit_calls_probe() {
  return {{"audit_calls",
           "Which system calls of a JSON list the audit rules record: audit_calls('[\"finit_module\"]'). One row for "
           "each call, kind of program and source; none for a call that such programs do not have.",
           kColumns},
          &read_audit_calls};
}

}  // namespace gpuharden
