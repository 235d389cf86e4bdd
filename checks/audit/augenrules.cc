// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/augenrules.h"

#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// '~' before the end, the end before letters, these before all else.
int weight(std::string_view text, std::size_t at) {
  if (at >= text.size() || is_digit(text[at])) return 0;
  if (text[at] == '~') return -1;
  const int byte = static_cast<unsigned char>(text[at]);
  return is_letter(text[at]) ? byte : byte + 256;
}

std::string_view digits_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') ++at;
  const auto start = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return text.substr(start, at - start);
}

int compare_naturally(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    while ((i < a.size() && !is_digit(a[i])) || (j < b.size() && !is_digit(b[j]))) {
      const int difference = weight(a, i) - weight(b, j);
      if (difference != 0) return difference;
      ++i;
      ++j;
    }
    const auto left = digits_at(a, i);
    const auto right = digits_at(b, j);
    if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
    if (const int order = left.compare(right); order != 0) return order;
  }
  return 0;
}

bool begins_with_option(std::string_view text, std::string_view option) {
  return trim(text).starts_with(option) && text.find_first_not_of(" \t") != std::string_view::npos;
}

void append(std::vector<AuditScriptLine>& script, std::optional<AuditScriptLine>& line) {
  if (line) script.push_back(std::move(*line));
}

std::vector<AuditScriptLine> joined_lines(const std::vector<AuditRuleFile>& files) {
  std::vector<AuditScriptLine> lines;
  bool is_open = false;  // the line before has no newline
  for (const auto& file : files) {
    auto own = audit_file_lines(file);
    if (own.empty()) continue;
    if (is_open) {
      lines.back().text += own.front().text;
      own.erase(own.begin());
    }
    lines.insert(lines.end(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    is_open = !file.bytes.ends_with('\n');
  }
  return lines;
}

}  // namespace

bool is_before_in_natural_order(std::string_view a, std::string_view b) {
  const int order = compare_naturally(a.substr(0, a.rfind('.')), b.substr(0, b.rfind('.')));
  return order != 0 ? order < 0 : a < b;
}

std::vector<AuditScriptLine> audit_file_lines(const AuditRuleFile& file) {
  std::vector<AuditScriptLine> lines;
  std::uint32_t number = 0;
  for (const auto text : split(file.bytes, '\n')) lines.push_back({file.path, ++number, std::string(text)});
  if (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  return lines;
}

std::vector<AuditScriptLine> merge_audit_rules(const std::vector<AuditRuleFile>& files) {
  std::optional<AuditScriptLine> deletion, backlog, failure, enabled;
  std::vector<AuditScriptLine> rest;
  for (auto& line : joined_lines(files)) {
    if (line.text.empty() || begins_with_option(line.text, "#")) continue;
    if (begins_with_option(line.text, "-e")) {
      enabled = std::move(line);
    } else if (trim(line.text) == "-D") {
      deletion = std::move(line);
    } else if (begins_with_option(line.text, "-f")) {
      failure = std::move(line);
    } else if (begins_with_option(line.text, "-b")) {
      backlog = std::move(line);
    } else {
      rest.push_back(std::move(line));
    }
  }
  std::vector<AuditScriptLine> script;
  append(script, deletion);
  append(script, backlog);
  append(script, failure);
  script.insert(script.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  append(script, enabled);
  return script;
}

}  // namespace gpuharden
