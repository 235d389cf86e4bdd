// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/writer.h"

#include <algorithm>
#include <array>

namespace gpuharden {

std::span<const ReportFormat> report_formats() {
  static constexpr std::array<ReportFormat, 2> kFormats = {{
      {"text", "for people: worst first", &write_text},
      {"json", "gpuharden.report/1, docs/report.schema.json", &write_json},
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
