// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/unit_drop_in.h"

#include "engine/base/text.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

constexpr std::string_view kSection = "[Service]";

bool is_service_name(const std::string& unit) {
  return unit.ends_with(".service") && unit.find('/') == std::string::npos && !unit.starts_with('.');
}

}  // namespace

Status set_in_drop_in(Draft& draft, const std::string& unit, const std::string& start, const std::string& line) {
  if (!is_service_name(unit)) return Error{ErrorCode::kMalformed, concat({unit, ": not the name of a service"})};
  // Sorted last: of several drop-ins the later one wins.
  const std::string path = concat({"/etc/systemd/system/", unit, ".d/zz-gpuharden.conf"});
  GH_RETURN_IF_ERROR(draft.edit(path, [&](std::string_view text) -> Result<std::string> {
    GH_ASSIGN_OR_RETURN(const std::string with_section, set_line(text, kSection, kSection));
    return set_line(with_section, start, line);
  }));
  return draft.restart_unit(unit);
}

}  // namespace gpuharden
