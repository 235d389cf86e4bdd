// SPDX-License-Identifier: GPL-2.0-or-later
// Report writers: pure functions from findings to bytes. A format is one file and one row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/model/report.h"

namespace gpuharden {

struct WriterOptions {
  bool color = false;
  std::size_t width = 80;  // of text, in columns
  int verbosity = 0;       // text only: 1 lists passes and everything of a finding
};

struct ReportFormat {
  std::string_view name;
  std::string_view doc;
  std::string (*write)(const Report& report, const WriterOptions& options);
};

std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);

std::string write_text(const Report& report, const WriterOptions& options);
std::string write_json(const Report& report, const WriterOptions& options);

// Rules by outcome.
std::map<Outcome, std::int64_t> totals(const Report& report);

}  // namespace gpuharden
