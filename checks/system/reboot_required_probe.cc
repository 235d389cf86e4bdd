// SPDX-License-Identifier: GPL-2.0-or-later
// Whether packages have asked for a reboot.
#include <algorithm>

#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFlag = "/run/reboot-required";
constexpr std::int64_t kDay = 86400;
constexpr std::string_view kPackages = "/run/reboot-required.pkgs";

constexpr Column kColumns[] = {
    {"package", ColumnType::kText, "package that asked for the reboot; NULL when it is not known which did",
     ColumnFlag::kKey},
    {"file", ColumnType::kPath, "/run/reboot-required", ColumnFlag::kNotNull},
    {"since", ColumnType::kInteger, "when the last asked, seconds since the epoch", ColumnFlag::kNotNull},
    {"age_days", ColumnType::kInteger, "whole days since then", ColumnFlag::kNotNull},
};

void read_reboot_required(TableReader& out) {
  const auto flag = out.files().stat(kFlag);
  if (!flag && flag.error().code == ErrorCode::kNotFound) {
    // An image's /run is not that of the machine it came from.
    if (out.host().kind() == HostKind::kImage) out.gap(kernel_fact_error(out.host(), flag.error()));
    return;
  }
  if (!flag) return out.gap(flag.error());
  const auto packages = out.files().read(kPackages);
  if (!packages && packages.error().code != ErrorCode::kNotFound) out.gap(packages.error());
  std::vector<std::string> names;
  if (packages) {
    for (const auto line : split(packages->bytes, '\n')) {
      const auto name = std::string(trim(line));
      if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end() && names.size() < 1000)
        names.push_back(name);
    }
  }
  const auto add = [&](const std::optional<std::string>& name) {
    const auto age = std::max<std::int64_t>(out.host().now() - flag->mtime, 0) / kDay;
    out.row().set("package", name).set("file", kFlag).set("since", flag->mtime).set("age_days", age);
  };
  for (const auto& name : names) add(name);
  if (names.empty()) add(std::nullopt);
}

}  // namespace

Probe reboot_required_probe() {
  return {{"reboot_required",
           "The packages that asked for a reboot, as Debian and Ubuntu note it in /run. No row where none did, and on "
           "systems that do not note it.",
           kColumns},
          &read_reboot_required};
}

}  // namespace gpuharden
