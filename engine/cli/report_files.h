// SPDX-License-Identifier: GPL-2.0-or-later
// Reports as files: those that are read back, and where those that are made go.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/report/writer.h"

namespace gpuharden {

// A JSON report of at most 256 MiB; the error names the file.
Result<Report> read_report_file(const std::string& path);

struct ReportTarget {
  const ReportFormat* format = nullptr;
  std::string file;  // empty: standard output
};

// `format` to `output` (empty: standard output), and each of `reports`, "format=file". Complains and gives nothing
// when a format is not known, an argument is no such pair, or two reports would go to one file.
std::optional<std::vector<ReportTarget>> report_targets(const std::string& format, const std::string& output,
                                                        const std::vector<std::string>& reports);

// Writes the report everywhere: files whole, by a rename. Complains of each that could not be written; false then.
bool write_report(const Report& report, const std::vector<ReportTarget>& targets, const WriterOptions& options,
                  const WriterOptions& to_terminal);

}  // namespace gpuharden
