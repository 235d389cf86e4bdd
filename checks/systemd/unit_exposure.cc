// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_exposure.h"

namespace gpuharden {

Result<std::optional<std::string>> unit_changeable_by(PathExposure& exposure, const Unit& unit) {
  std::optional<Error> first_error;
  const auto take = [&](Result<PathExposure::Reason> reason) -> std::optional<std::string> {
    if (!reason && !first_error) first_error = reason.error();
    return reason ? *reason : std::nullopt;
  };
  for (const auto& source : unit.sources) {
    if (auto reason = take(exposure.of_file(source->path, source->stat))) return reason;
  }
  // A mask and an alias are links: who can write their folder can replace them.
  if (unit.sources.empty() && !unit.fragment.empty()) {
    const auto folder = unit.fragment.substr(0, unit.fragment.rfind('/'));
    if (auto reason = take(exposure.of(folder))) return reason;
  }
  for (const auto& folder : unit.drop_in_folders) {
    if (auto reason = take(exposure.of(folder))) return reason;
  }
  if (first_error) return *first_error;
  return std::optional<std::string>();
}

}  // namespace gpuharden
