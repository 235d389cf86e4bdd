// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/accounts/passwd.h"

#include <optional>
#include <unordered_set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::optional<std::uint32_t> parse_id(std::string_view text) {
  const auto value = parse_unsigned(text);
  return value && *value <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
}

// Calls take(fields, line number) for each line; it says whether the line was an entry.
template <typename Take>
void each_line(std::string_view text, std::vector<std::uint32_t>& bad_lines, Take take) {
  std::uint32_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    if (trim(line).empty() || trim(line)[0] == '#') continue;
    if (!take(split(line, ':'), number)) bad_lines.push_back(number);
  }
}

}  // namespace

std::vector<PasswdEntry> parse_passwd(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<PasswdEntry> entries;
  each_line(text, bad_lines, [&](const std::vector<std::string_view>& fields, std::uint32_t line) {
    if (fields.size() < 7 || fields[0].empty()) return false;
    const auto uid = parse_id(fields[2]);
    const auto gid = parse_id(fields[3]);
    if (!uid || !gid) return false;
    entries.push_back({std::string(fields[0]), *uid, *gid, std::string(fields[4]), std::string(fields[5]),
                       std::string(fields[6]), line});
    return true;
  });
  return entries;
}

std::vector<GroupEntry> parse_group(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<GroupEntry> entries;
  each_line(text, bad_lines, [&](const std::vector<std::string_view>& fields, std::uint32_t line) {
    if (fields.size() < 3 || fields[0].empty()) return false;
    const auto gid = parse_id(fields[2]);
    if (!gid) return false;
    GroupEntry entry{std::string(fields[0]), *gid, {}, line};
    // A set, since a directory export may put 200,000 names in one line.
    std::unordered_set<std::string_view> known;
    for (const auto member : split(fields.size() > 3 ? fields[3] : "", ',')) {
      const auto name = trim(member);
      if (!name.empty() && known.insert(name).second) entry.members.emplace_back(name);
    }
    entries.push_back(std::move(entry));
    return true;
  });
  return entries;
}

}  // namespace gpuharden
