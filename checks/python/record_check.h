// SPDX-License-Identifier: GPL-2.0-or-later
// Compares what a Python package installed with what lies there now.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "checks/python/distribution.h"
#include "checks/python/environments.h"

namespace gpuharden {

struct RecordDifference {
  std::string state;  // changed, missing, extra
  std::string path;
};

struct RecordResult {
  std::string record;  // the path of RECORD
  Distribution package;
  std::int64_t files = 0;     // with a digest in RECORD
  std::int64_t verified = 0;  // that are as recorded
  bool has_record = true;
  std::vector<RecordDifference> differences;  // at most kMaxDifferences
  std::int64_t more_differences = 0;
  std::optional<Error> error;  // why not every file was compared
};

// How often a difference is named for one package.
constexpr std::size_t kMaxDifferences = 50;

// Every package of the environment that has a RECORD, or should have one. Small files are compared
// first, so that code comes before large libraries when `deadline` passes. Native libraries (.so) in
// folders of packages that no RECORD names are differences of state "extra", told by the last result,
// whose package has no name.
std::vector<RecordResult> check_records(const PythonEnvironment& environment,
                                        std::chrono::steady_clock::time_point deadline);

// "/x/lib/python3.12/site-packages/../../../bin/y" without "." and ".."; "" when it leaves the root.
std::string normal_path(std::string_view folder, std::string_view path);

}  // namespace gpuharden
