// SPDX-License-Identifier: GPL-2.0-or-later
// One text of a hostile host at every place of a report, in every format: the bytes stay what the format allows, and
// the text stays text.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/report/compare.h"
#include "engine/report/fleet_writer.h"
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

// The same report as a merge of one.
class OneHost final : public Fleet {
 public:
  explicit OneHost(const Report& report) : row_(report.rules[0].horizons[0].rows[0]) {
    hosts_.push_back({report.host, report.profile, "0.1.0", "", 0, 2, {{Outcome::kFail, 1}}, {{Severity::kHigh, 1}}});
    rules_.push_back({report.rules[0], {{Outcome::kFail, 1}}});
    warnings_ = report.warnings;
  }
  const std::vector<FleetHost>& hosts() const override { return hosts_; }
  const std::vector<FleetRule>& rules() const override { return rules_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  Status each_finding(const std::function<void(const FleetFinding&)>& take) const override {
    FleetFinding finding;
    finding.horizon = "now";
    finding.identity = row_.fingerprint;
    finding.message = row_.message;
    finding.has_row = true;
    finding.row = row_;
    finding.hosts[Outcome::kFail] = {0};
    take(finding);
    return {};
  }

 private:
  RowFinding row_;
  std::vector<FleetHost> hosts_;
  std::vector<FleetRule> rules_;
  std::vector<std::string> warnings_;
};

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

using Documents = std::map<std::string_view, std::string>;

void add_comparisons(const Report& report, Documents& documents) {
  for (const auto& format : fleet_formats()) {
    auto& out = documents[format.doc];
    require(format.write(OneHost(report), [&](std::string_view bytes) { out += bytes; }).has_value());
  }
  Report nothing = report;
  nothing.rules.clear();
  documents["diff json"] = write_diff_json(nothing, report, compare(nothing, report));
  documents["diff text"] = write_diff_text(nothing, report, compare(nothing, report));
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  using namespace gpuharden::test;
  // What is safe in itself comes before it, so that nothing may drop the text as a whole.
  constexpr std::string_view kMark = "Q7Z";
  const Report report = report_with(concat({kMark, text_of(data, size)}));
  Documents documents;
  for (const auto& format : report_formats()) documents[format.name] = format.write(report, {});
  // The others share what they are made of: now and then is enough.
  if (size % 4 == 0) add_comparisons(report, documents);
  for (const auto& [name, bytes] : documents) {
    require(bytes.find(kMark) != std::string::npos);
    require(replace_invalid_utf8(bytes) == bytes);
    require(!has_control(bytes, "\r\n"));
    if (bytes.starts_with("{")) require(nlohmann::json::accept(bytes));
    if (bytes.starts_with("<")) require(!has_foreign_tag(bytes));
  }
  require(std::count(documents["csv"].begin(), documents["csv"].end(), '\n') == 2);
  return 0;
}
