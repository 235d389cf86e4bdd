// SPDX-License-Identifier: GPL-2.0-or-later
// list: which rules there are.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "engine/base/text.h"
#include "engine/cli/command.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

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
    out += concat(
        {pad(to_string(rule.severity), 9), pad(rule.id, width + 2), pad(join(rule.attack, " "), 11), rule.title, "\n"});
  }
  out += concat({std::to_string(selection->rules.size()), " rules of profile ", options.selection.profile,
                 "; there are ", std::to_string(known), "\n"});
  return print(out) ? kExitOk : kExitNoVerdict;
}

}  // namespace

void add_list_command(CLI::App& app, Runner& run) {
  auto options = std::make_shared<RuleOptions>();
  auto* sub = app.add_subcommand("list", "The rules that a profile selects");
  add_rule_options(*sub, *options);
  sub->callback([options, &run] { run = [options] { return run_list(*options); }; });
}

void add_version_command(CLI::App& app, Runner& run) {
  auto* sub = app.add_subcommand("version", "The version of the program");
  sub->callback([&run] { run = [] { return print("gpuharden " GPUHARDEN_VERSION "\n") ? kExitOk : kExitNoVerdict; }; });
}

}  // namespace gpuharden
