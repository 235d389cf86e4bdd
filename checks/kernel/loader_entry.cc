// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/loader_entry.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct Line {
  std::string_view key, value;
};

Line split_line(std::string_view line) {
  line = trim(line);
  if (line.starts_with('#')) return {};
  const auto blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return {line, {}};
  return {line.substr(0, blank), trim(line.substr(blank))};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The run of digits, or of anything else, at the start.
std::string_view next_run(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end]) == is_digit(text[0])) ++end;
  return text.substr(0, end);
}

int compare_numbers(std::string_view a, std::string_view b) {
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  return a.size() != b.size() ? (a.size() < b.size() ? -1 : 1) : a.compare(b);
}

// Runs of digits as numbers, all else as bytes.
int compare_versions(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const auto left = next_run(a);
    const auto right = next_run(b);
    const bool are_numbers = is_digit(left[0]) && is_digit(right[0]);
    const int order = are_numbers ? compare_numbers(left, right) : left.compare(right);
    if (order != 0) return order;
    a.remove_prefix(left.size());
    b.remove_prefix(right.size());
  }
  return a.empty() == b.empty() ? 0 : (a.empty() ? -1 : 1);
}

}  // namespace

BootEntry parse_loader_entry(std::string_view text, std::string_view file_name, const LoaderVariables& variables) {
  BootEntry entry;
  if (file_name.ends_with(".conf")) file_name.remove_suffix(5);
  entry.id = file_name;
  std::string options;
  std::string version;
  for (const auto raw : split(text, '\n')) {
    const auto [key, value] = split_line(raw);
    if (key == "title") entry.title = value;
    if (key == "version") version = value;
    if (key == "linux") entry.kernel = value;
    if (key == "initrd") entry.initrd = value;
    if (key == "options" && !value.empty()) options += concat({options.empty() ? "" : " ", value});
  }
  entry.cmdline = expand_loader_variables(options, variables, entry.unresolved);
  entry.release = release_of_kernel(entry.kernel);
  if (entry.release.empty()) entry.release = version;
  return entry;
}

std::string parse_loader_default(std::string_view text) {
  std::string found;
  for (const auto raw : split(text, '\n')) {
    const auto [key, value] = split_line(raw);
    if (key == "default") found = value;
  }
  return found;
}

bool is_newer_entry(const BootEntry& a, const BootEntry& b) {
  const int order = compare_versions(a.id, b.id);
  return order > 0;
}

std::string parse_loader_variable(std::string_view bytes) {
  constexpr std::size_t kAttributes = 4;
  std::string text;
  for (std::size_t i = kAttributes; i + 1 < bytes.size(); i += 2) {
    if (bytes[i] == '\0' && bytes[i + 1] == '\0') break;
    if (bytes[i + 1] != '\0' || static_cast<unsigned char>(bytes[i]) >= 0x80) return {};
    text += bytes[i];
  }
  return text;
}

}  // namespace gpuharden
