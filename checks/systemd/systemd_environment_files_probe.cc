// SPDX-License-Identifier: GPL-2.0-or-later
// The EnvironmentFile= settings of units and the files behind them.
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"unit", ColumnType::kText, "name of the unit", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"pattern", ColumnType::kText, "the path or glob pattern, without the '-'", ColumnFlag::kNotNull},
    {"optional", ColumnType::kBoolean, "1 with '-': the unit starts without the file", ColumnFlag::kNotNull},
    {"matches", ColumnType::kInteger, "how many files it names; systemd reads them all, sorted", ColumnFlag::kNotNull},
    {"bad_lines", ColumnType::kInteger,
     "lines in these files that systemd ignores: no KEY=VALUE, or a name like \"export X\"", ColumnFlag::kNotNull},
    {"first_bad_file", ColumnType::kPath, "the first file with such a line"},
    {"first_bad_line", ColumnType::kInteger, "its number, from 1"},
    {"file", ColumnType::kPath, "the fragment or drop-in that has the setting", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of that file, from 1", ColumnFlag::kNotNull},
};

void add_use(TableReader& out, const std::string& unit, const EnvironmentFileUse& use, EnvFileCache& cache) {
  Row row = out.row();
  std::size_t bad_lines = 0;
  for (const auto& path : use.matches) {
    const auto& entry = cache.get(path);
    if (!entry || entry->text.bad_lines.empty()) continue;
    if (bad_lines == 0) row.set("first_bad_file", path).set("first_bad_line", entry->text.bad_lines.front());
    bad_lines += entry->text.bad_lines.size();
  }
  row.set("unit", unit)
      .set("pattern", use.pattern)
      .set("optional", use.is_optional)
      .set("matches", std::uint64_t{use.matches.size()})
      .set("bad_lines", std::uint64_t{bad_lines})
      .set("file", use.file)
      .set("line", use.line);
}

void read_systemd_environment_files(TableReader& out) {
  for (const auto& gap : unit_set(out.host(), out.shared()).gaps) out.gap(gap.unit, "*", gap.error);
  const auto& environments = unit_environments(out.host(), out.shared());
  EnvFileCache cache(out.files());
  for (const auto& [unit, environment] : environments.by_unit) {
    for (const auto& gap : environment.gaps) out.gap(unit, "*", gap.error);
    for (const auto& use : environment.files) add_use(out, unit, use, cache);
  }
}

}  // namespace

Probe systemd_environment_files_probe() {
  return {{"systemd_environment_files", "EnvironmentFile= settings of the merged units, one row each.", kColumns,
           TableCost::kFast, TableLane::kServices},
          &read_systemd_environment_files};
}

}  // namespace gpuharden
