// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/fix_lint.h"

#include <algorithm>

#include "engine/apply/action.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The line of the key "fix", from 1; the first line where it is not found.
std::size_t line_of_fix(std::string_view text) {
  const auto lines = split(text, '\n');
  const auto found = std::find_if(lines.begin(), lines.end(), [](auto line) { return line.starts_with("fix:"); });
  return found == lines.end() ? 1 : static_cast<std::size_t>(found - lines.begin()) + 1;
}

std::vector<std::string> names_of_actions() {
  std::vector<std::string> names;
  for (const auto& action : all_actions()) names.emplace_back(action.name);
  return names;
}

std::vector<std::string> names_of_arguments(const Action& action) {
  std::vector<std::string> names;
  for (const auto& argument : action.arguments) names.emplace_back(argument.name);
  return names;
}

}  // namespace

void lint_fix(const Rule& rule, std::string_view text, std::vector<Diagnostic>& diagnostics) {
  if (rule.fix.action.empty()) return;
  FileDiagnostics out(rule.place.file, text, diagnostics);
  const auto complain = [&](std::string_view code, std::string sentence) {
    out.add(code, line_of_fix(text), 1, std::move(sentence));
  };
  if (!parse_risk(rule.fix.risk))
    complain("unknown-risk",
             concat({"\"", rule.fix.risk, "\": the risks are none, restart, reboot, gpu-loss and lockout"}));
  const Action* action = find_action(rule.fix.action);
  if (action == nullptr) {
    return complain("unknown-action", concat({"there is no action \"", rule.fix.action, "\"",
                                              did_you_mean(rule.fix.action, names_of_actions())}));
  }
  const auto known = names_of_arguments(*action);
  for (const auto& [name, value] : rule.fix.args) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      complain("unknown-argument",
               concat({action->name, " has no argument \"", name, "\"", did_you_mean(name, known)}));
  }
  for (const auto& argument : action->arguments) {
    if (argument.is_required && !rule.fix.args.contains(std::string(argument.name)))
      complain("missing-argument", concat({action->name, " needs the argument \"", argument.name, "\""}));
  }
}

}  // namespace gpuharden
