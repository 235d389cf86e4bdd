// SPDX-License-Identifier: GPL-2.0-or-later
#include <CLI/CLI.hpp>

#include "engine/apply/fix_lint.h"
#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/rules/compiled.h"
#include "engine/scan/lint.h"

namespace gpuharden {
namespace {

// Lint prepares statements and runs none.
class NoSource final : public TableSource {
 public:
  std::unique_ptr<TableData> read(const TableRequest& request) override {
    return std::make_unique<TableData>(request.probe->schema.columns.size());
  }
};

// Only the techniques that some rule names: the compiled file stays small.
TechniqueTables named_techniques(const Catalog& catalog) {
  TechniqueTables named;
  for (const auto& rule : catalog.rules) {
    for (const auto& id : rule.attack) named.attack[id] = catalog.techniques.attack.at(id);
    for (const auto& id : rule.atlas) named.atlas[id] = catalog.techniques.atlas.at(id);
  }
  return named;
}

// What each statement reads, so that an audit can ask for it before it prepares anything.
void note_reads(Catalog& catalog, Database& database) {
  for (auto& rule : catalog.rules) {
    for (auto& query : rule.queries) {
      const auto statement = database.prepare(query.sql);
      if (statement) query.reads.assign(statement->reads().begin(), statement->reads().end());
    }
  }
}

int compile(const Catalog& catalog, std::vector<CompiledSource> sources, const std::string& file) {
  CompiledRules compiled{GPUHARDEN_VERSION,         catalog.digest, std::move(sources), catalog.rules, catalog.policies,
                         named_techniques(catalog), catalog.floors};
  const auto written = write_file(file, write_compiled(compiled));
  if (!written) complain(written.error().message);
  return written ? kExitOk : kExitNoVerdict;
}

int run_lint(const std::vector<std::string>& folders, const std::string& compiled_file) {
  const auto files = open_own_files();
  if (!files) {
    complain(files.error().message);
    return kExitNoVerdict;
  }
  CatalogPlaces places = default_places();
  std::vector<Diagnostic> diagnostics;
  std::vector<CompiledSource> sources;
  Catalog catalog = parse_catalog(places, **files, diagnostics, sources);
  if (!folders.empty()) {
    RuleOptions options;
    options.folders = folders;
    const auto extended = load_catalog_or_complain(options);
    if (!extended) return kExitNoVerdict;
    catalog.rules = extended->rules;
    catalog.floors = extended->floors;
  }
  NoSource source;
  Database database(source);
  for (const auto& rule : catalog.rules) {
    const auto text = (*files)->read(rule.place.file, kDefaultReadCap);
    const std::string bytes = text ? text->bytes : std::string();
    lint_rule(rule, bytes, database, diagnostics);
    lint_floor_names(rule, bytes, catalog.floors, diagnostics);
    lint_fix(rule, bytes, diagnostics);
  }
  lint_policies(catalog, diagnostics);
  for (const auto& diagnostic : diagnostics) complain(format(diagnostic));
  if (!diagnostics.empty()) return kExitNoVerdict;
  if (!compiled_file.empty()) note_reads(catalog, database);
  if (!compiled_file.empty()) return compile(catalog, std::move(sources), compiled_file);
  const std::string summary = concat({std::to_string(catalog.rules.size()), " rules and ",
                                      std::to_string(catalog.policies.size()), " policies, no fault\n"});
  return print(summary) ? kExitOk : kExitNoVerdict;
}

}  // namespace

void add_lint_command(CLI::App& app, Runner& run) {
  auto folders = std::make_shared<std::vector<std::string>>();
  auto compiled = std::make_shared<std::string>();
  auto* sub = app.add_subcommand("lint", "Check rule and policy files; every fault with its place");
  sub->add_option("folder", *folders, "Also rules of these folders, <area>/<name>.yaml");
  sub->add_option("--compile", *compiled, "Write the checked rules to one file")->group("");
  sub->callback([folders, compiled, &run] { run = [folders, compiled] { return run_lint(*folders, *compiled); }; });
}

}  // namespace gpuharden
