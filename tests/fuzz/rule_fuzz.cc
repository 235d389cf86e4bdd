// SPDX-License-Identifier: GPL-2.0-or-later
// Rule files of an operator: every fault is told, none ends the program.
#include "engine/rules/rule_loader.h"
#include "engine/scan/lint.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

class NoRows final : public TableSource {
 public:
  std::unique_ptr<TableData> read(const TableRequest& request) override {
    return std::make_unique<TableData>(request.probe->schema.columns.size());
  }
};

const TechniqueTables& techniques() {
  static const TechniqueTables tables = {
      {{"T1195.002", {"Compromise Software Supply Chain", {"initial-access"}, true, {}}}}, {}};
  return tables;
}

void check(std::string_view text) {
  static NoRows source;
  static Database database(source);
  std::vector<Diagnostic> diagnostics;
  const Rule rule = load_rule("area.name", "rules/area/name.yaml", text, techniques(), diagnostics);
  if (diagnostics.empty()) lint_rule(rule, text, database, diagnostics);
  for (const auto& diagnostic : diagnostics) require(!format(diagnostic).empty());
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpuharden::test::check(gpuharden::test::text_of(data, size));
  return 0;
}
