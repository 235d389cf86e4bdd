// SPDX-License-Identifier: GPL-2.0-or-later
// What the audit rules record of paths that a rule asks for.
#include <linux/audit.h>

#include "checks/audit/audit_effect.h"
#include "checks/audit/audit_facts.h"
#include "checks/audit/string_list.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"asked", ColumnType::kText, "JSON list of absolute paths, without patterns",
     ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "kernel: the rules that it holds; boot: those that the next boot loads",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"path", ColumnType::kPath, "one of the paths", ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "file, directory, …, links followed; NULL when nothing is there"},
    {"real_path", ColumnType::kPath, "where the path ends up without links; NULL when nothing is there"},
    {"perms", ColumnType::kText,
     "kinds of access, of r w x a, that are recorded of all 64-bit programs; of a folder, all below included",
     ColumnFlag::kNotNull},
    {"perms32", ColumnType::kText, "the same of 32-bit programs; NULL on a machine without them"},
    {"filtered", ColumnType::kText, "kinds of access that are recorded under conditions only", ColumnFlag::kNotNull},
    {"rule", ColumnType::kText, "the first rule that records it; NULL for none"},
    {"filter_rule", ColumnType::kText, "the first rule that records it under conditions; NULL for none"},
    {"dead_rule", ColumnType::kText, "a rule that names the path and records nothing; NULL for none"},
    {"reason", ColumnType::kText, "why that records nothing"},
    {"file", ColumnType::kPath, "where the first of these rules stands; NULL for the kernel's"},
    {"line", ColumnType::kInteger, "line in that file"},
};

struct Target {
  std::string path, real;
  std::optional<FileType> type;
};

class PathsWriter {
 public:
  PathsWriter(TableReader& out, const AuditFacts& facts) : out_(out), facts_(facts), paths_(out.files()) {}

  void write(std::string_view source, const AuditRuleSet& set, const std::vector<std::string>& asked) {
    for (const auto& error : set.errors) out_.gap(source, "*", error);
    const AuditCoverageIndex index(set, facts_.machines);
    for (const auto& path : asked) add(source, index, path);
  }

 private:
  // A path that is not there may still be watched: its folder's links are resolved.
  void add(std::string_view source, const AuditCoverageIndex& index, const std::string& path) {
    Target target{path, path, std::nullopt};
    const auto stat = out_.files().stat(path);
    const auto real = out_.files().real_path(path);
    if (stat) target.type = stat->type;
    if (!stat && stat.error().code != ErrorCode::kNotFound) return out_.gap(source, "*", stat.error());
    if (real) {
      target.real = *real;
    } else if (const auto folder = paths_.resolve(path)) {
      target.real = *folder;
    }
    write_row(source, target, index.of_path(target.real, path, target.type == FileType::kDirectory));
  }

  void write_row(std::string_view source, const Target& target, const AuditCoverage& coverage) {
    auto row = out_.row();
    row.set("asked", out_.argument("asked")).set("source", source).set("path", target.path);
    if (target.type) row.set("type", to_string(*target.type)).set("real_path", target.real);
    row.set("perms", audit_perm_text(coverage.wide)).set("filtered", audit_perm_text(coverage.filtered));
    if (facts_.machines.narrow) row.set("perms32", audit_perm_text(coverage.narrow));
    const AuditRuleEntry* first = nullptr;
    const auto name = [&](std::string_view column, const AuditRuleEntry* rule) {
      if (rule == nullptr) return;
      row.set(column, rule->text);
      if (first == nullptr) first = rule;
    };
    name("rule", coverage.rule);
    name("filter_rule", coverage.filter);
    name("dead_rule", coverage.without);
    if (coverage.without != nullptr)
      row.set("reason", coverage.without->doubt ? coverage.without->doubt->message : coverage.without->reason);
    if (first != nullptr && !first->file.empty()) row.set("file", first->file).set("line", first->line);
  }

  TableReader& out_;
  const AuditFacts& facts_;
  AuditPaths paths_;
};

void read_audit_paths(TableReader& out) {
  const auto asked = parse_string_list(out.argument("asked"));
  if (!asked) return out.gap(asked.error());
  for (const auto& path : *asked) {
    if (path.empty() || path[0] != '/') return out.gap({ErrorCode::kMalformed, path + ": not an absolute path"});
  }
  const auto& facts = out.shared().get<AuditFacts>(out.host(), &read_audit_facts);
  PathsWriter writer(out, facts);
  write_audit_sources(out, facts, writer, *asked);
}

}  // namespace

Probe audit_paths_probe() {
  return {
      {"audit_paths",
       "What the audit rules record of the paths in a JSON list: audit_paths('[\"/etc/passwd\"]'). One row for each "
       "path and source.",
       kColumns},
      &read_audit_paths};
}

}  // namespace gpuharden
