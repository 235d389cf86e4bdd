// SPDX-License-Identifier: GPL-2.0-or-later
// apt's settings as they are in force, with the file that each comes from.
#include "checks/apt/apt_settings.h"
#include "checks/apt/source_options.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText,
     "full name in lower case: acquire::allowinsecurerepositories; the items of a list end in ::#1, ::#2, …",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"written", ColumnType::kText, "the name as the file writes it", ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "as set last; proxies may hold passwords", ColumnFlag::kNotNull | ColumnFlag::kSecret},
    {"boolean", ColumnType::kBoolean, "the value as a switch, as apt reads it; NULL when it is none"},
    {"file", ColumnType::kPath,
     "/etc/apt/apt.conf, a file of /etc/apt/apt.conf.d that apt reads, or one that these include",
     ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where it is set, from 1", ColumnFlag::kNotNull},
};

void read_apt_config(TableReader& out) {
  const auto& facts = apt_settings_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap(error);
  for (const auto& [name, setting] : facts.settings.all()) {
    out.row()
        .set("name", name)
        .set("written", setting.name)
        .set("value", setting.value)
        .set("boolean", apt_boolean(setting.value))
        .set("file", setting.file)
        .set("line", setting.line);
  }
}

}  // namespace

Probe apt_config_probe() {
  return {{"apt_config",
           "The settings of apt.conf(5) files that are in force, one row each. Defaults that no file sets have no row.",
           kColumns},
          &read_apt_config};
}

}  // namespace gpuharden
