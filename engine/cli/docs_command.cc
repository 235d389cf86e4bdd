// SPDX-License-Identifier: GPL-2.0-or-later
// docs: what the program knows of itself, as documents. A test compares those of the repository with it.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/cli/manual.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

// Text that Markdown takes for text.
std::string markdown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string techniques_of(const std::vector<std::string>& ids, const TechniqueTable& table) {
  std::vector<std::string> words;
  for (const auto& id : ids) {
    const auto found = table.find(id);
    words.push_back(found == table.end() ? id : concat({id, " ", markdown(found->second.name)}));
  }
  return join(words, ", ");
}

std::string value_text(const ParamValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return concat({"[", join(*list, ", "), "]"});
  return "not set";
}

std::string horizons_of(const Rule& rule) {
  std::vector<std::string> names;
  for (const auto& query : rule.queries) names.push_back(markdown(query.horizon));
  return join(names, ", ");
}

std::string describe(const Rule& rule, const TechniqueTables& techniques) {
  std::string out = concat({"### ", rule.id, "\n\n", markdown(rule.title), ". *", to_string(rule.severity), ", ",
                            to_string(rule.maturity), "; ", horizons_of(rule), "*\n\n", markdown(rule.why), "\n\n"});
  if (!rule.manual.empty()) out += concat({"- fix: ", markdown(rule.manual), "\n"});
  if (!rule.fix.action.empty())
    out += concat({"- automatic fix: ", markdown(rule.fix.action), ", risk ", markdown(rule.fix.risk), "\n"});
  if (!rule.none.empty()) out += concat({"- not applicable when: ", markdown(rule.none), "\n"});
  if (!rule.attack.empty()) out += concat({"- ATT&CK: ", techniques_of(rule.attack, techniques.attack), "\n"});
  if (!rule.atlas.empty()) out += concat({"- ATLAS: ", techniques_of(rule.atlas, techniques.atlas), "\n"});
  for (const auto& [framework, ids] : rule.controls)
    out += concat({"- ", markdown(framework), ": ", markdown(join(ids, ", ")), "\n"});
  if (!rule.tags.empty()) out += concat({"- tags: ", markdown(join(rule.tags, ", ")), "\n"});
  for (const auto& param : rule.params)
    out += concat({"- parameter ", markdown(param.name), " = ", markdown(value_text(param.value)), ": ",
                   markdown(param.doc), "\n"});
  for (const auto& reference : rule.references) out += concat({"- <", reference, ">\n"});
  return out + "\n";
}

std::string rules_document(const Catalog& catalog) {
  std::string out =
      "# Rules\n\nEvery rule that is shipped, as its file has it. Made by `gpuharden docs rules`; a test keeps it up "
      "to "
      "date.\n\n| area | rules |\n|---|---|\n";
  std::map<std::string, std::vector<const Rule*>> areas;
  for (const auto& rule : catalog.rules) areas[rule.id.substr(0, rule.id.find('.'))].push_back(&rule);
  for (const auto& [area, rules] : areas)
    out += concat({"| [", area, "](#", area, ") | ", std::to_string(rules.size()), " |\n"});
  out += "\n";
  for (const auto& [area, rules] : areas) {
    out += concat({"## ", area, "\n\n"});
    for (const auto* rule : rules) out += describe(*rule, catalog.techniques);
  }
  out.pop_back();
  return out;
}

std::string tables_document() {
  std::string out =
      "# Tables\n\nThe facts that rules and `gpuharden query` ask. A *key* names a row when it could not be read, an "
      "*argument* must be given, a\n*secret* is shown as a digest. Made by `gpuharden docs tables`; a test keeps it up "
      "to date.\n";
  std::vector<const TableSchema*> schemas;
  for (const auto& probe : all_probes()) schemas.push_back(&probe.schema);
  std::sort(schemas.begin(), schemas.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  for (const auto* schema : schemas) {
    out += concat({"\n## ", schema->name, schema->cost == TableCost::kDeep ? " (deep)" : "", "\n\n",
                   markdown(schema->doc), "\n\n| column | type | meaning |\n|---|---|---|\n"});
    for (const auto& column : schema->columns)
      out +=
          concat({"| ", markdown(column.name), " | ", column_type_words(column), " | ", markdown(column.doc), " |\n"});
  }
  return out;
}

int run_docs(const CLI::App& app, const std::string& document) {
  if (document == "tables") return print(tables_document()) ? kExitOk : kExitNoVerdict;
  if (document == "man") return print(manual_page(app)) ? kExitOk : kExitNoVerdict;
  const auto catalog = load_catalog_or_complain({});
  if (!catalog) return kExitNoVerdict;
  return print(rules_document(*catalog)) ? kExitOk : kExitNoVerdict;
}

}  // namespace

void add_docs_command(CLI::App& app, Runner& run) {
  auto document = std::make_shared<std::string>();
  auto* sub = app.add_subcommand("docs", "What the program knows of itself, as documents");
  sub->add_option("document", *document, "rules or tables (Markdown), or man (the manual page)")
      ->required()
      ->check(CLI::IsMember({"rules", "tables", "man"}));
  sub->callback([document, &app, &run] { run = [document, &app] { return run_docs(app, *document); }; });
}

}  // namespace gpuharden
