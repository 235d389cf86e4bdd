// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/words.h"

#include <algorithm>
#include <ctime>

#include "engine/base/date.h"
#include "engine/base/text.h"

namespace gpuharden {

std::string format_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  if (::gmtime_r(&time, &parts) == nullptr) return "1970-01-01T00:00:00Z";
  std::string text(64, '\0');
  text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  return text;
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00Z";
  if (text.size() != kForm.size() || text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != 'Z')
    return std::nullopt;
  const auto day = parse_date(text.substr(0, 10));
  const auto hour = parse_unsigned(text.substr(11, 2));
  const auto minute = parse_unsigned(text.substr(14, 2));
  const auto second = parse_unsigned(text.substr(17, 2));
  if (!day || !hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  return *day * kSecondsPerDay + static_cast<std::int64_t>(*hour * 3600 + *minute * 60 + *second);
}

std::string in_words(std::string_view name) {
  std::string out(name);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '_' || c == '-'; }, ' ');
  return out;
}

std::string cut_text(std::string_view text, std::size_t limit) {
  // What is far too long is not first made valid as a whole.
  std::string valid = replace_invalid_utf8(text.substr(0, limit + 4));
  if (text.size() <= limit && valid.size() <= limit) return valid;
  const std::string tail = concat({"… (", std::to_string(text.size()), " bytes)"});
  std::size_t end = std::min(valid.size(), limit > tail.size() ? limit - tail.size() : 0);
  while (end > 0 && (static_cast<unsigned char>(valid[end]) & 0xC0U) == 0x80U) --end;
  valid.resize(end);
  return valid + tail;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string pad(std::string_view text, std::size_t width) {
  return concat({text, std::string(width > columns_of(text) ? width - columns_of(text) : 0, ' ')});
}

std::int64_t count_of(const std::map<Outcome, std::int64_t>& counts, Outcome outcome) {
  const auto found = counts.find(outcome);
  return found == counts.end() ? 0 : found->second;
}

std::map<Severity, std::int64_t> failed_by_severity(const Report& report) {
  std::map<Severity, std::int64_t> counts;
  for (const auto severity : kSeveritiesWorstFirst) counts[severity] = 0;
  for (const auto& finding : report.rules) {
    if (finding.outcome == Outcome::kFail) ++counts[finding.rule.severity];
  }
  return counts;
}

std::string evidence_text(const Evidence& evidence) {
  if (evidence.kind == ValueKind::kInteger) return std::to_string(evidence.integer);
  return evidence.kind == ValueKind::kText ? evidence.text : "unknown";
}

std::string waiver_sentence(const AppliedWaiver& waiver) {
  return concat({"accepted by ", waiver.owner, " until ", waiver.expires, ": ", waiver.reason});
}

}  // namespace gpuharden
