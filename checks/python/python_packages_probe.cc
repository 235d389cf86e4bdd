// SPDX-License-Identifier: GPL-2.0-or-later
// Which Python packages that matter are installed, and in which version.
#include "checks/python/distribution.h"
#include "checks/python/environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"site_packages", ColumnType::kPath, "the folder that it is installed in; see python_environments",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "the package, in lower case with - for _ and .", ColumnFlag::kNotNull},
    {"version", ColumnType::kVersion, "its version, with a local part as +cu124; NULL when the folder's name has none"},
    {"file", ColumnType::kPath, "the folder of its metadata", ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "of the environment: system, opt, home, unit, process", ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the root folder of the processes; NULL for the host's root"},
    {"is_used", ColumnType::kBoolean, "1 when a GPU process has code of the environment mapped", ColumnFlag::kNotNull},
};

void add_packages(TableReader& out, const PythonEnvironment& environment) {
  const auto& site = environment.site_packages;
  if (environment.entries_error) return out.gap(site, "*", *environment.entries_error);
  for (const auto& entry : environment.entries) {
    const auto package = parse_distribution(entry.name);
    if (!package || !is_package_of_interest(package->name)) continue;
    auto row = out.row();
    row.set("site_packages", site)
        .set("name", package->name)
        .set("file", concat({site, "/", entry.name}))
        .set("source", environment.source)
        .set("container", environment.root->name())
        .set("is_used", !environment.used_by.empty());
    if (!package->version.empty()) row.set("version", package->version);
  }
}

void read_python_packages(TableReader& out) {
  const auto& found = python_environments(out.host(), out.shared());
  for (const auto& error : found.errors) out.gap(error);
  for (const auto& environment : found.environments) add_packages(out, environment);
}

}  // namespace

Probe python_packages_probe() {
  return {
      {"python_packages",
       "Python packages that compute on GPUs, serve AI workloads or load models of others, by their metadata folders "
       "in the environments of python_environments. Other packages are left out.",
       kColumns, TableCost::kFast, TableLane::kProcesses},
      &read_python_packages};
}

}  // namespace gpuharden
