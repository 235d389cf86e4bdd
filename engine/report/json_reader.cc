// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/json_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/report/json_parts.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

// Evidence comes back in the order in which it was written.
using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 32;

// The parser builds what it reads: a file of brackets must not become gigabytes.
bool is_shallow(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest) return false;
    } else if (c == ']' || c == '}') {
      depth -= std::min<std::size_t>(depth, 1);
    }
  }
  return true;
}

// A value and the way to it. Remembers the first thing that is wrong; reading goes on with defaults.
class Node {
 public:
  Node(const Json& value, std::string path, std::string& fault)
      : value_(&value), path_(std::move(path)), fault_(fault) {}

  void fail(std::string_view sentence) const {
    if (fault_.empty()) fault_ = concat({path_.empty() ? "/" : path_, ": ", sentence});
  }
  bool has(std::string_view key) const {
    return value_->is_object() && value_->find(std::string(key)) != value_->end();
  }
  Node at(std::string_view key) const {
    const std::string path = concat({path_, "/", key});
    if (has(key)) return {*value_->find(std::string(key)), path, fault_};
    static const Json kNothing;
    if (fault_.empty()) fault_ = path + ": is missing";
    return {kNothing, path, fault_};
  }
  std::vector<Node> items() const {
    std::vector<Node> out;
    if (!value_->is_array()) return fail("a list is expected"), out;
    for (const auto& item : *value_) out.push_back({item, concat({path_, "/", std::to_string(out.size())}), fault_});
    return out;
  }
  std::vector<std::pair<std::string, Node>> entries() const {
    std::vector<std::pair<std::string, Node>> out;
    if (!value_->is_object()) return fail("an object is expected"), out;
    for (const auto& [key, value] : value_->items())
      out.emplace_back(key, Node(value, concat({path_, "/", key}), fault_));
    return out;
  }
  std::string text() const {
    if (!value_->is_string()) return fail("a text is expected"), std::string();
    return value_->get_ref<const std::string&>();
  }
  std::string text(std::string_view key) const { return at(key).text(); }
  std::string optional_text(std::string_view key) const { return has(key) ? text(key) : std::string(); }
  std::int64_t integer() const {
    const bool fits =
        value_->is_number_integer() && (!value_->is_number_unsigned() || value_->get<std::uint64_t>() <= INT64_MAX);
    if (!fits) return fail("an integer is expected"), 0;
    return value_->get<std::int64_t>();
  }
  bool boolean() const {
    if (!value_->is_boolean()) return fail("true or false is expected"), false;
    return value_->get<bool>();
  }
  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> out;
    for (const auto& item : at(key).items()) out.push_back(item.text());
    return out;
  }
  template <typename Value>
  Value word(std::string_view key, std::optional<Value> (*parse)(std::string_view)) const {
    const Node node = at(key);
    const auto value = parse(node.text());
    if (!value) node.fail("none of the known words");
    return value.value_or(Value{});
  }
  const Json& json() const { return *value_; }

 private:
  const Json* value_;
  std::string path_;
  std::string& fault_;
};

std::optional<AppliedWaiver> waiver_of(const Node& node) {
  if (!node.has("waiver")) return std::nullopt;
  const Node waiver = node.at("waiver");
  return AppliedWaiver{waiver.text("reason"), waiver.text("owner"), waiver.text("expires"),
                       waiver.word<Outcome>("was", &parse_outcome)};
}

BaselineState baseline_of(const Node& node) {
  if (!node.has("baseline")) return BaselineState::kNone;
  return node.text("baseline") == "new" ? BaselineState::kNew : BaselineState::kSame;
}

Evidence evidence_of(const std::string& name, const Node& node) {
  if (node.json().is_null()) return {name, ValueKind::kNull, 0, {}};
  if (node.json().is_string()) return {name, ValueKind::kText, 0, node.text()};
  return {name, ValueKind::kInteger, node.integer(), {}};
}

bool is_fingerprint(std::string_view text) {
  constexpr std::size_t kDigits = 32;
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

RowFinding row_of(const Node& node) {
  RowFinding row;
  row.subject = node.text("subject");
  row.outcome = node.word<Outcome>("outcome", &parse_outcome);
  row.message = node.text("message");
  row.detail = node.optional_text("detail");
  row.file = node.optional_text("file");
  if (node.has("line")) row.line = node.at("line").integer();
  for (const auto& [name, value] : node.at("evidence").entries()) row.evidence.push_back(evidence_of(name, value));
  row.fingerprint = node.text("fingerprint");
  if (!is_fingerprint(row.fingerprint)) node.at("fingerprint").fail("32 hexadecimal digits are expected");
  row.waiver = waiver_of(node);
  row.baseline = baseline_of(node);
  return row;
}

std::map<Outcome, std::int64_t> counts_of(const Node& node) {
  std::map<Outcome, std::int64_t> counts;
  for (const auto& [name, value] : node.entries()) {
    const auto outcome = parse_outcome(name);
    const auto count = value.integer();
    if (!outcome || count < 0) {
      value.fail("an outcome and a number are expected");
    } else {
      counts[*outcome] = count;
    }
  }
  return counts;
}

HorizonFinding horizon_of(const Node& node) {
  HorizonFinding horizon;
  horizon.name = node.text("name");
  horizon.outcome = node.word<Outcome>("outcome", &parse_outcome);
  horizon.reason = node.optional_text("reason");
  horizon.counts = counts_of(node.at("counts"));
  for (const auto& row : node.at("rows").items()) horizon.rows.push_back(row_of(row));
  for (const auto& gap : node.at("gaps").items()) {
    horizon.gaps.push_back({gap.text("table"), gap.text("key"), gap.text("column"),
                            gap.word<ErrorCode>("cause", &parse_error_code), gap.text("sentence")});
  }
  horizon.waiver = waiver_of(node);
  horizon.baseline = baseline_of(node);
  if (node.has("cut_off")) horizon.cut_off = node.at("cut_off").boolean();
  return horizon;
}

RuleFinding rule_of(const Node& node) {
  RuleFinding finding;
  Rule& rule = finding.rule;
  rule.id = node.text("id");
  rule.title = node.text("title");
  rule.severity = node.word<Severity>("severity", &parse_severity);
  rule.maturity = node.word<Maturity>("maturity", &parse_maturity);
  finding.outcome = node.word<Outcome>("outcome", &parse_outcome);
  finding.required = node.at("required").boolean();
  for (const auto& reference : node.at("attack").items())
    finding.attack.push_back({reference.text("id"), reference.text("name"), reference.texts("tactics")});
  rule.atlas = node.texts("atlas");
  for (const auto& [framework, ids] : node.at("controls").entries()) {
    for (const auto& id : ids.items()) rule.controls[framework].push_back(id.text());
  }
  rule.tags = node.texts("tags");
  rule.why = node.text("why");
  rule.references = node.texts("references");
  const Node fix = node.at("fix");
  rule.manual = fix.text("manual");
  rule.fix.action = fix.optional_text("action");
  if (fix.has("risk")) rule.fix.risk = fix.text("risk");
  for (const auto& horizon : node.at("horizons").items()) finding.horizons.push_back(horizon_of(horizon));
  if (finding.horizons.empty()) node.at("horizons").fail("at least one is expected");
  for (const auto& reference : finding.attack) rule.attack.push_back(reference.id);
  return finding;
}

WaiverUse waiver_use_of(const Node& node) {
  WaiverUse use;
  Waiver& waiver = use.waiver;
  waiver = {node.text("rule"),
            node.text("reason"),
            node.text("owner"),
            0,
            node.optional_text("subject"),
            node.optional_text("file"),
            node.optional_text("host"),
            node.optional_text("horizon"),
            {}};
  const auto expires = parse_date(node.text("expires"));
  if (!expires) node.at("expires").fail("a day is expected: 2027-01-31");
  waiver.expires = expires.value_or(0);
  waiver.place.file = node.text("from");
  waiver.place.line = static_cast<std::size_t>(std::max<std::int64_t>(node.at("from_line").integer(), 0));
  use.state = node.word<WaiverState>("state", &parse_waiver_state);
  use.days_left = node.at("days_left").integer();
  use.matched = node.at("matched").integer();
  return use;
}

HostSummary host_of(const Node& node) {
  return {node.text("name"),    node.text("kind"),    node.text("os"),    node.text("kernel"),
          node.text("machine"), node.text("boot_id"), node.texts("gpus"), node.at("privileged").boolean()};
}

Report report_of(const Node& node) {
  Report report;
  const Node tool = node.at("tool");
  report.tool_version = tool.text("version");
  report.rules_digest = tool.text("rules_digest");
  report.rules_trust = tool.text("rules_trust");
  report.warnings = node.texts("warnings");
  report.host = host_of(node.at("host"));
  report.profile = node.text("profile");
  const auto started = parse_time(node.text("started"));
  if (!started) node.at("started").fail("a time is expected: 2026-11-30T02:39:41Z");
  report.started = started.value_or(0);
  report.duration_us = node.at("duration_us").integer();
  report.not_selected = node.texts("not_selected");
  report.gate = node.word<Severity>("gate", &parse_severity);
  const auto exit_code = node.at("exit_code").integer();
  if (exit_code < 0 || exit_code > 2) node.at("exit_code").fail("0, 1 or 2 is expected");
  report.exit_code = static_cast<int>(exit_code);
  if (node.has("waivers")) {
    for (const auto& waiver : node.at("waivers").items()) report.waivers.push_back(waiver_use_of(waiver));
  }
  for (const auto& rule : node.at("rules").items()) report.rules.push_back(rule_of(rule));
  return report;
}

FleetFinding fleet_finding_of(const Node& node) {
  FleetFinding finding;
  finding.horizon = node.text("horizon");
  finding.message = node.text("message");
  finding.count = node.at("count").integer();
  finding.has_row = node.has("row");
  if (finding.has_row) finding.row = row_of(node.at("row"));
  finding.waiver = waiver_of(node);
  return finding;
}

}  // namespace

Result<FleetFinding> read_item(std::string_view json) {
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return Error{ErrorCode::kMalformed, "not JSON"};
  std::string fault;
  FleetFinding finding = fleet_finding_of(Node(document, "", fault));
  if (!fault.empty()) return Error{ErrorCode::kMalformed, fault};
  return finding;
}

Result<Report> read_report(std::string_view json) {
  if (!is_shallow(json)) return Error{ErrorCode::kMalformed, "nested too deeply for a report"};
  const Json document = Json::parse(json, nullptr, false);
  if (document.is_discarded()) return Error{ErrorCode::kMalformed, "not JSON"};
  std::string fault;
  const Node root(document, "", fault);
  const std::string format = root.optional_text("format");
  if (format != "gpuharden.report/1")
    return Error{ErrorCode::kMalformed, concat({"not a report: format is \"", cut_text(format, 64), "\""})};
  Report report = report_of(root);
  if (!fault.empty()) return Error{ErrorCode::kMalformed, escape_for_terminal(cut_text(fault, 512))};
  return report;
}

}  // namespace gpuharden
