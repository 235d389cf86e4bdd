// SPDX-License-Identifier: GPL-2.0-or-later
// How the Docker daemon is configured: what it listens on, and what it lets containers do.
#include <algorithm>

#include "checks/containers/docker_settings.h"
#include "checks/environment/path_exposure.h"
#include "checks/system/redaction.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText,
     "name as in daemon.json, nested ones with dots: hosts, insecure-registries, runtimes.nvidia.path; flags of the "
     "command line have the same names",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText,
     "one value; each element of a list has a row; numbers and switches as JSON, credentials redacted",
     ColumnFlag::kNotNull},
    {"unit", ColumnType::kText, "the unit whose command line sets it; NULL for daemon.json"},
    {"file", ColumnType::kPath, "daemon.json, or the unit's file", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "of the unit's file, from 1; NULL for daemon.json"},
    {"path_changeable_by", ColumnType::kText,
     "of a value that is an absolute path: who else than root can change what it names, or could make it; NULL when "
     "nobody"},
};

void read_docker_daemon(TableReader& out) {
  const auto& facts = docker_settings_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap(error);
  PathExposure exposure(out.files());
  for (const auto& setting : facts.settings) {
    const auto& [name, value] = setting.option;
    auto row = out.row();
    row.set("name", name).set("value", redact_value(name, value)).set("file", setting.file);
    if (!setting.unit.empty()) row.set("unit", setting.unit);
    if (setting.line != 0) row.set("line", setting.line);
    if (!value.starts_with('/') || !out.wants("path_changeable_by")) continue;
    const auto reason = exposure.of(value);
    row.set("path_changeable_by", reason);
  }
}

}  // namespace

Probe docker_daemon_probe() {
  return {
      {"docker_daemon",
       "Settings of the Docker daemon that are written down, from daemon.json and from the command line of the unit "
       "that starts dockerd. Defaults have no row.",
       kColumns, TableCost::kFast, TableLane::kServices},
      &read_docker_daemon};
}

}  // namespace gpuharden
