// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

// Folders whose files are merged by the program that reads them: a file of ours stands beside the others.
bool is_drop_in(std::string_view path) {
  for (const auto* folder : {"/etc/apt/apt.conf.d/", "/etc/modprobe.d/", "/etc/sysctl.d/", "/etc/udev/rules.d/",
                             "/etc/audit/rules.d/", "/etc/ld.so.conf.d/", "/etc/tmpfiles.d/"}) {
    const std::string_view start = folder;
    if (path.starts_with(start) && path.substr(start.size()).find('/') == std::string_view::npos) return true;
  }
  return false;
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto path = request.argument("path");
  if (!is_drop_in(path) || path.find("gpuharden") == std::string::npos)
    return Error{ErrorCode::kUnsupported, concat({path, ": not a file of ours in a folder of drop-ins"})};
  const auto line = request.argument("line");
  return draft.edit(path, [&](std::string_view text) { return set_line(text, line, line); });
}

}  // namespace

Action write_drop_in_action() {
  return {"write_drop_in",
          "Puts a line into a file of gpuharden's own in a folder of drop-ins",
          {{"path", "the file; its name holds \"gpuharden\""}, {"line", "the line"}},
          &plan};
}

}  // namespace gpuharden
