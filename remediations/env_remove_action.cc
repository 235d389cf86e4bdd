// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checks/environment/env_file.h"
#include "engine/base/text.h"
#include "remediations/assignment_line.h"
#include "remediations/unit_drop_in.h"

namespace gpuharden {
namespace {

bool is_vendor_file(std::string_view path) {
  return path.starts_with("/usr/") || path.starts_with("/lib/") || path.starts_with("/run/");
}

Result<std::string> without_line(std::string_view text, std::size_t number, const std::string& name) {
  std::string out;
  std::size_t at = 0;
  bool found = false;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(line.size());
    if (++at != number) {
      out += line;
      continue;
    }
    GH_ASSIGN_OR_RETURN(const std::string rest, without_assignment(line, name));
    out += rest;
    found = true;
  }
  if (!found) return Error{ErrorCode::kStale, "the file has become shorter"};
  return out;
}

// The line's number is that of the file as it lies there; earlier requests may have taken lines out above.
Result<std::string> line_as_found(const Draft& draft, const std::string& file, std::size_t number) {
  GH_ASSIGN_OR_RETURN(const FileBytes bytes, draft.host().files().read(file));
  const auto lines = split(bytes.bytes, '\n');
  if (number > lines.size()) return Error{ErrorCode::kStale, "the file has become shorter"};
  return std::string(lines[number - 1]);
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto file = request.argument("file");
  const auto name = request.argument("name");
  const auto unit = request.argument("unit");
  const auto line = parse_unsigned(request.argument("line"));
  if (!is_variable_name(name) || !line || *line == 0) return Error{ErrorCode::kMalformed, "no variable and line"};
  if (is_vendor_file(file)) {
    if (unit.empty()) return Error{ErrorCode::kUnsupported, concat({file, ": a package's file is not edited"})};
    const std::string setting = concat({"UnsetEnvironment=", name});
    return set_in_drop_in(draft, unit, setting, setting);
  }
  GH_ASSIGN_OR_RETURN(const std::string found, line_as_found(draft, file, *line));
  GH_RETURN_IF_ERROR(draft.edit(
      file,
      [&](std::string_view text) -> Result<std::string> {
        GH_ASSIGN_OR_RETURN(const std::size_t now, find_line(text, found, *line));
        return without_line(text, now, name);
      },
      true));
  if (!unit.empty()) return draft.restart_unit(unit);
  draft.pending("new logins and restarted services (what runs keeps its environment)");
  return {};
}

}  // namespace

Action env_remove_action() {
  return {"env_remove",
          "Takes the assignment of an environment variable out of the file that makes it",
          {{"file", "the file"},
           {"line", "where the assignment stands"},
           {"name", "the variable"},
           {"unit", "the service that gets it", false}},
          &plan};
}

}  // namespace gpuharden
