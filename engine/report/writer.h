// SPDX-License-Identifier: GPL-2.0-or-later
// Report writers: pure functions from findings to bytes. A format is one file and one row.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "engine/model/report.h"

namespace gpuharden {

struct WriterOptions {
  bool color = false;
  std::size_t width = 80;  // of text, in columns
  int verbosity = 0;       // text only: 1 lists passes and everything of a finding
  std::set<Outcome> omit;  // sarif only: results that are left out, for readers that take each for an alert
};

struct ReportFormat {
  std::string_view name;
  std::string_view doc;
  std::string (*write)(const Report& report, const WriterOptions& options);
  bool is_public = false;  // holds nothing that other users of the machine may not see; others read the file
};

std::span<const ReportFormat> report_formats();
const ReportFormat* find_report_format(std::string_view name);

std::string write_text(const Report& report, const WriterOptions& options);
std::string write_json(const Report& report, const WriterOptions& options);
std::string write_sarif(const Report& report, const WriterOptions& options);
std::string write_junit(const Report& report, const WriterOptions& options);
std::string write_html(const Report& report, const WriterOptions& options);
std::string write_csv(const Report& report, const WriterOptions& options);
std::string write_navigator(const Report& report, const WriterOptions& options);
std::string write_prometheus(const Report& report, const WriterOptions& options);

// Rules by outcome.
std::map<Outcome, std::int64_t> totals(const Report& report);

}  // namespace gpuharden
