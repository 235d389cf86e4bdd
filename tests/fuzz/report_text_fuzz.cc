// SPDX-License-Identifier: GPL-2.0-or-later
// One text of a hostile host at every place of a report, in every format: the bytes stay what the format allows, and
// the text stays text.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/report/writer.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

Report report_with(const std::string& text) {
  Report report;
  report.host.name = report.host.os = report.host.kind = report.profile = text;
  report.host.gpus = report.warnings = report.not_selected = {text};
  RuleFinding finding;
  finding.rule.id = "area.rule";
  finding.rule.title = finding.rule.why = finding.rule.manual = text;
  finding.rule.references = finding.rule.tags = {text};
  finding.outcome = Outcome::kFail;
  HorizonFinding horizon;
  horizon.name = "now";
  horizon.outcome = Outcome::kFail;
  horizon.reason = text;
  horizon.gaps = {{"table", text, "*", ErrorCode::kIo, text}};
  RowFinding row;
  row.subject = row.message = row.detail = row.file = text;
  row.outcome = Outcome::kFail;
  row.line = 1;
  row.evidence = {{"value", ValueKind::kText, 0, text}};
  row.fingerprint = std::string(32, 'a');
  row.waiver = AppliedWaiver{text, text, "2027-01-31", Outcome::kFail};
  horizon.rows = {row};
  horizon.counts = {{Outcome::kFail, 1}};
  finding.horizons = {horizon};
  report.rules = {finding};
  return report;
}

bool has_control(std::string_view text, std::string_view allowed) {
  return std::any_of(text.begin(), text.end(), [&](char c) {
    return static_cast<unsigned char>(c) < 0x20 && allowed.find(c) == std::string_view::npos;
  });
}

// Content that no text may become: every tag is one of ours.
bool has_foreign_tag(std::string_view page) {
  for (const std::string_view tag : {"<script", "<img", "<iframe", "<object", "<form", "<base"}) {
    if (page.find(tag) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  using namespace gpuharden::test;
  const Report report = report_with(std::string(text_of(data, size)));
  require(nlohmann::json::accept(write_json(report, {})));
  require(nlohmann::json::accept(write_sarif(report, {})));
  require(nlohmann::json::accept(write_navigator(report, {})));
  for (const auto& bytes : {write_text(report, {}), write_junit(report, {}), write_html(report, {}),
                            write_prometheus(report, {}), write_csv(report, {})}) {
    require(replace_invalid_utf8(bytes) == bytes);
    require(!has_control(bytes, "\r\n"));
  }
  const std::string csv = write_csv(report, {});
  require(std::count(csv.begin(), csv.end(), '\n') == 2);
  require(!has_foreign_tag(write_html(report, {})));
  require(!has_foreign_tag(write_junit(report, {})));
  return 0;
}
