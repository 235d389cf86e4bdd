// SPDX-License-Identifier: GPL-2.0-or-later
// explain: one rule, or one finding with its rule.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/report_files.h"
#include "engine/report/items.h"
#include "engine/report/words.h"
#include "engine/scan/audit.h"

namespace gpuharden {
namespace {

struct ExplainCommand {
  RuleOptions rules;
  HostOptions host;
  std::string what;
  std::vector<std::string> reports;  // files
};

std::string param_text(const ParamValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return concat({"[", join(*list, ", "), "]"});
  return "not set";
}

std::string explain(const Rule& rule, const TechniqueTables& techniques) {
  std::string out = concat({rule.id, "   ", to_string(rule.severity), ", ", to_string(rule.maturity), "\n", rule.title,
                            "\n\n", rule.why, "\n\n"});
  for (const auto& [ids, table] :
       {std::pair{&rule.attack, &techniques.attack}, std::pair{&rule.atlas, &techniques.atlas}}) {
    for (const auto& id : *ids) {
      const auto found = table->find(id);
      out += concat({id, "  ", found == table->end() ? "" : found->second.name, "\n"});
    }
  }
  for (const auto& [framework, ids] : rule.controls) out += concat({framework, "  ", join(ids, ", "), "\n"});
  for (const auto& param : rule.params)
    out += concat({"\nparameter ", param.name, " = ", param_text(param.value), "\n  ", param.doc, "\n"});
  for (const auto& query : rule.queries) out += concat({"\nquery (", query.horizon, ")\n", query.sql, "\n"});
  out += concat({"\nnot applicable: ", rule.none.empty() ? "never" : rule.none, "\nby hand: ", rule.manual, "\n"});
  for (const auto& reference : rule.references) out += concat({"see ", reference, "\n"});
  return out + concat({"file ", rule.place.file, "\n"});
}

// The digits of a fingerprint as any report shows it: "0123456789abcdef:1" in SARIF, "….2" in a merged report. Fewer
// than eight would fit too much; nothing when it is none.
std::string fingerprint_digits(std::string_view text) {
  constexpr std::size_t kFewest = 8;
  const auto digits = text.substr(0, text.find_first_of(":."));
  const bool is_fingerprint =
      digits.size() >= kFewest && digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_fingerprint ? std::string(digits) : std::string();
}

bool has_fingerprint(const ReportItem& item, std::string_view digits) {
  return item.identity.starts_with(digits) || (item.row != nullptr && item.row->fingerprint.starts_with(digits));
}

void add_line(std::string& out, std::string_view name, std::string_view text) {
  if (!text.empty()) out += concat({"  ", pad(name, 11), " ", escape_for_terminal(text), "\n"});
}

std::string explain(const ReportItem& item, const Report& report) {
  std::string out = concat({to_string(item.outcome), " ", in_words(item.horizon->name), " on ",
                            escape_for_terminal(report.host.name), ", ", format_time(report.started), "\n"});
  if (item.row != nullptr && !item.row->file.empty()) {
    const std::string line = item.row->line > 0 ? concat({":", std::to_string(item.row->line)}) : std::string();
    out += concat({"  ", escape_for_terminal(item.row->file), line, "\n"});
  }
  out += concat({"  ", escape_for_terminal(item.message), "\n"});
  if (item.row != nullptr) {
    if (item.message.find(item.row->detail) == std::string::npos) add_line(out, "detail", item.row->detail);
    add_line(out, "subject", item.row->subject);
    for (const auto& cell : item.row->evidence) add_line(out, cell.name, evidence_text(cell));
  }
  if (item.outcome != Outcome::kPass) {
    for (const auto& gap : item.horizon->gaps) add_line(out, "not read", gap.sentence);
  }
  if (item.waiver != nullptr) add_line(out, "waived", waiver_sentence(*item.waiver));
  return out + "\n";
}

// Findings of the report with that fingerprint, each rule's own words after its findings; empty when there is none.
std::string explain_findings(const Report& report, std::string_view digits, const Catalog& catalog) {
  std::string out;
  for (const auto& finding : report.rules) {
    std::string found;
    for (const auto& item : items_of(finding)) {
      if (has_fingerprint(item, digits)) found += explain(item, report);
    }
    if (found.empty()) continue;
    // A rule that only the other machine has comes from its report, which has no query.
    const auto known = std::find_if(catalog.rules.begin(), catalog.rules.end(),
                                    [&](const Rule& rule) { return rule.id == finding.rule.id; });
    out += found + explain(known == catalog.rules.end() ? finding.rule : *known, catalog.techniques);
  }
  return out;
}

// First without what is slow. Nothing, and the exit code, when the machine cannot be looked at.
std::optional<std::string> explain_here(const ExplainCommand& command, std::string_view digits,
                                        const Catalog& catalog) {
  const auto selection = select_rules(catalog, {"baseline", {"*"}, {}, {}, {}});
  const auto waivers = load_waivers_or_complain({});
  if (!selection) complain(selection.error().message);
  if (!selection || !waivers) return std::nullopt;
  std::string out;
  for (const bool deep : {false, true}) {
    auto report = audit_now(command.host, catalog, *selection, {{}, deep, false});
    if (!report) return std::nullopt;
    apply_waivers(*waivers, waiver_day(catalog, report->started), *report);
    out = explain_findings(*report, digits, catalog);
    if (!out.empty()) break;
  }
  return out;
}

std::optional<std::string> explain_in_files(const ExplainCommand& command, std::string_view digits,
                                            const Catalog& catalog) {
  std::string out;
  for (const auto& file : command.reports) {
    const auto report = read_report_file(file);
    if (!report) {
      complain(report.error().message);
      return std::nullopt;
    }
    out += explain_findings(*report, digits, catalog);
  }
  return out;
}

int run_fingerprint(const ExplainCommand& command, const std::string& digits, const Catalog& catalog) {
  const auto text =
      command.reports.empty() ? explain_here(command, digits, catalog) : explain_in_files(command, digits, catalog);
  if (!text) return kExitNoVerdict;
  if (!text->empty()) return print(*text) ? kExitOk : kExitNoVerdict;
  complain(concat({"no finding has the fingerprint ", digits,
                   command.reports.empty() ? " on this machine now; --report FILE looks in a JSON report" : ""}));
  return kExitNoVerdict;
}

int run_explain(const ExplainCommand& command) {
  const auto catalog = load_catalog_or_complain(command.rules);
  if (!catalog) return kExitNoVerdict;
  std::vector<std::string> ids;
  for (const auto& rule : catalog->rules) {
    if (rule.id == command.what) return print(explain(rule, catalog->techniques)) ? kExitOk : kExitNoVerdict;
    ids.push_back(rule.id);
  }
  const std::string digits = fingerprint_digits(command.what);
  if (!digits.empty()) return run_fingerprint(command, digits, *catalog);
  complain(concat({"there is no rule \"", command.what, "\"", did_you_mean(command.what, ids)}));
  return kExitUsage;
}

}  // namespace

void add_explain_command(CLI::App& app, Runner& run) {
  auto command = std::make_shared<ExplainCommand>();
  auto* sub = app.add_subcommand("explain", "One rule, or one finding: why, what was asked, what to do");
  sub->add_option("what", command->what, "The rule's id, or a finding's fingerprint or its first eight digits")
      ->required();
  sub->add_option("--report", command->reports,
                  "Look for the fingerprint in this JSON report; may be repeated. Without it the machine is audited");
  sub->add_option("--rules", command->rules.folders, "Another folder of rules");
  add_host_options(*sub, command->host);
  sub->footer("Exit: 0 explained; 1 no finding has that fingerprint, or it could not be looked for; 64 no such rule.");
  sub->callback([command, &run] { run = [command] { return run_explain(*command); }; });
}

}  // namespace gpuharden
