// SPDX-License-Identifier: GPL-2.0-or-later
// A report that somebody else made: read, compared and written again. What was read once reads the same again.
#include "engine/report/compare.h"
#include "engine/report/json_reader.h"
#include "engine/report/writer.h"
#include "tests/fuzz/target.h"

using gpuharden::test::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto report = gpuharden::read_report(gpuharden::test::text_of(data, size));
  if (!report) {
    require(!report.error().message.empty() && report.error().message.size() < 4096);
    return 0;
  }
  const std::string json = gpuharden::write_json(*report, {});
  const auto again = gpuharden::read_report(json);
  require(again.has_value());
  require(gpuharden::write_json(*again, {}) == json);
  require(!gpuharden::is_worse(gpuharden::compare(*report, *again), gpuharden::Severity::kInfo));
  for (const auto& format : gpuharden::report_formats()) require(!format.write(*report, {}).empty());
  return 0;
}
