// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checks/environment/env_file.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "remediations/unit_drop_in.h"

namespace gpuharden {
namespace {

// EnvironmentFile= wins over Environment=, wherever they stand: a drop-in would have no effect.
Status check_not_overruled(const std::string& unit, const std::string& name, Draft& draft) {
  const auto environment = unit_environments(draft.host(), draft.shared()).of(unit);
  for (const auto& variable : environment.variables) {
    if (variable.name != name || variable.kind != UnitVariableKind::kFile) continue;
    return Error{ErrorCode::kUnsupported, concat({variable.file, ":", std::to_string(variable.line), " sets ", name,
                                                  " by EnvironmentFile=, which wins over a drop-in: edit it there"})};
  }
  return {};
}

bool is_plain(const std::string& value) { return value.find_first_of("\n\"\\%") == std::string::npos; }

Status plan(const FixRequest& request, Draft& draft) {
  const auto unit = request.argument("unit");
  const auto name = request.argument("name");
  const auto value = request.argument("value");
  if (!is_variable_name(name) || !is_plain(value)) return Error{ErrorCode::kMalformed, "not a variable and its value"};
  GH_RETURN_IF_ERROR(check_not_overruled(unit, name, draft));
  return set_in_drop_in(draft, unit, concat({"Environment=\"", name, "="}),
                        concat({"Environment=\"", name, "=", value, "\""}));
}

}  // namespace

Action unit_environment_action() {
  return {"unit_environment",
          "Sets an environment variable of a service by a drop-in, and restarts the service where it runs",
          {{"unit", "the service"}, {"name", "the variable"}, {"value", "its value"}},
          &plan};
}

}  // namespace gpuharden
