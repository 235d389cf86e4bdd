// SPDX-License-Identifier: GPL-2.0-or-later
// Whether the files of Python packages are still those that were installed.
#include "checks/python/record_check.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

// Well below the deadline of a table: what is not compared by then is a gap, and not an error of all.
constexpr std::chrono::milliseconds kTimeGiven{6000};

constexpr Column kColumns[] = {
    {"record", ColumnType::kPath, "the RECORD of the package; the folder of packages for files that no RECORD names",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"site_packages", ColumnType::kPath, "the environment; see python_environments", ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the root folder of the processes; NULL for the host's root"},
    {"package", ColumnType::kText, "the package; NULL for files that no RECORD names"},
    {"version", ColumnType::kVersion, "its version"},
    {"state", ColumnType::kText,
     "compared: one row a package, with the numbers. changed, missing: a file, against its SHA-256 in RECORD. extra: a "
     "native library in a package's folder that no RECORD names. unrecorded: pip's metadata without a RECORD",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file; NULL for compared and unrecorded"},
    {"files", ColumnType::kInteger, "of compared: how many files have a SHA-256 in RECORD"},
    {"verified", ColumnType::kInteger, "of compared: how many are as recorded"},
};

void add_row(TableReader& out, const PythonEnvironment& environment, const RecordResult& result, std::string_view state,
             const std::optional<std::string>& file) {
  auto row = out.row();
  row.set("record", result.record)
      .set("site_packages", environment.site_packages)
      .set("container", environment.root->name())
      .set("state", state)
      .set("file", file);
  if (!result.package.name.empty()) row.set("package", result.package.name);
  if (!result.package.version.empty()) row.set("version", result.package.version);
  if (state == "compared") row.set("files", result.files).set("verified", result.verified);
}

void add_result(TableReader& out, const PythonEnvironment& environment, const RecordResult& result) {
  if (result.error) out.gap(result.record, "*", *result.error);
  if (result.more_differences > 0) {
    out.gap(result.record, "file",
            {ErrorCode::kTooLarge, concat({result.record, ": ", std::to_string(result.more_differences),
                                           " more files differ and are not named"})});
  }
  if (!result.package.name.empty() && result.has_record) add_row(out, environment, result, "compared", {});
  if (!result.has_record && !result.error) add_row(out, environment, result, "unrecorded", {});
  for (const auto& difference : result.differences)
    add_row(out, environment, result, difference.state, difference.path);
}

void read_python_record(TableReader& out) {
  const auto deadline = std::chrono::steady_clock::now() + kTimeGiven;
  const auto& found = python_environments(out.host(), out.shared());
  for (const auto& error : found.errors) out.gap(error);
  for (const auto& environment : found.environments) {
    if (environment.entries_error) out.gap(*environment.entries_error);
    for (const auto& result : check_records(environment, deadline)) add_result(out, environment, result);
  }
}

}  // namespace

Probe python_record_probe() {
  return {{"python_record",
           "The files of installed Python packages against the SHA-256 in their RECORD, for the environments of "
           "python_environments. It finds what was changed after the installation; a hostile package has a RECORD that "
           "fits. Small files come first; what takes too long is a gap.",
           kColumns, TableCost::kDeep},
          &read_python_record};
}

}  // namespace gpuharden
