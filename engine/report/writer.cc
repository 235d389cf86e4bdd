// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/writer.h"

#include <algorithm>
#include <array>

namespace gpuharden {

std::span<const ReportFormat> report_formats() {
  static constexpr std::array<ReportFormat, 8> kFormats = {{
      {"text", "for people: worst first", &write_text},
      {"json", "gpuharden.report/1, docs/report.schema.json", &write_json},
      {"sarif", "SARIF 2.1.0, for code scanning", &write_sarif},
      {"junit", "JUnit XML: one test case a rule", &write_junit},
      {"html", "one page that stands alone, with pictures", &write_html},
      {"csv", "one line a finding, for spreadsheets", &write_csv},
      {"navigator", "a layer of the ATT&CK Navigator, 4.5", &write_navigator},
      {"prometheus", "metrics for the textfile collector", &write_prometheus, true},
  }};
  return kFormats;
}

const ReportFormat* find_report_format(std::string_view name) {
  const auto formats = report_formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const ReportFormat& format) { return format.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

std::map<Outcome, std::int64_t> totals(const Report& report) {
  std::map<Outcome, std::int64_t> counts;
  for (const auto& rule : report.rules) ++counts[rule.outcome];
  return counts;
}

}  // namespace gpuharden
