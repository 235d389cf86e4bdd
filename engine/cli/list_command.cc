// SPDX-License-Identifier: GPL-2.0-or-later
// list and explain: what the rules are.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/cli/command.h"

namespace gpuharden {
namespace {

std::string padded(std::string_view text, std::size_t width) {
  std::string out(text);
  out.resize(std::max(width, out.size()), ' ');
  return out;
}

int run_list(const RuleOptions& options) {
  auto catalog = load_catalog_or_complain(options);
  if (!catalog) return kExitNoVerdict;
  const auto known = catalog->rules.size();
  const auto selection = select_or_complain(*catalog, options);
  if (!selection) return kExitUsage;
  std::size_t width = 0;
  for (const auto& rule : selection->rules) width = std::max(width, rule.id.size());
  std::string out;
  for (const auto& rule : selection->rules) {
    out += concat({padded(to_string(rule.severity), 9), padded(rule.id, width + 2), padded(join(rule.attack, " "), 11),
                   rule.title, "\n"});
  }
  out += concat({std::to_string(selection->rules.size()), " rules of profile ", options.selection.profile,
                 "; there are ", std::to_string(known), "\n"});
  return print(out) ? kExitOk : kExitNoVerdict;
}

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

int run_explain(const RuleOptions& options, const std::string& id) {
  const auto catalog = load_catalog_or_complain(options);
  if (!catalog) return kExitNoVerdict;
  std::vector<std::string> ids;
  for (const auto& rule : catalog->rules) {
    if (rule.id == id) return print(explain(rule, catalog->techniques)) ? kExitOk : kExitNoVerdict;
    ids.push_back(rule.id);
  }
  complain(concat({"there is no rule \"", id, "\"", did_you_mean(id, ids)}));
  return kExitUsage;
}

}  // namespace

void add_list_command(CLI::App& app, Runner& run) {
  auto options = std::make_shared<RuleOptions>();
  auto* sub = app.add_subcommand("list", "The rules that a profile selects");
  add_rule_options(*sub, *options);
  sub->callback([options, &run] { run = [options] { return run_list(*options); }; });
}

void add_explain_command(CLI::App& app, Runner& run) {
  auto options = std::make_shared<RuleOptions>();
  auto id = std::make_shared<std::string>();
  auto* sub = app.add_subcommand("explain", "One rule: why it exists, what it asks, what to do");
  sub->add_option("id", *id, "The rule's id")->required();
  sub->add_option("--rules", options->folders, "Another folder of rules");
  sub->callback([options, id, &run] { run = [options, id] { return run_explain(*options, *id); }; });
}

void add_version_command(CLI::App& app, Runner& run) {
  auto* sub = app.add_subcommand("version", "The version of the program");
  sub->callback([&run] { run = [] { return print("gpuharden " GPUHARDEN_VERSION "\n") ? kExitOk : kExitNoVerdict; }; });
}

}  // namespace gpuharden
