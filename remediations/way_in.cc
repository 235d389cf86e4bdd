// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/way_in.h"

#include <algorithm>

#include "checks/ssh/sshd_settings.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kAdministrators[] = {"sudo", "wheel", "admin", "root"};

// "%group" as a word of a line that is no comment; "#" also begins the number of an id.
bool names_group(std::string_view text, const std::string& group) {
  const std::string wanted = "%" + group;
  for (const auto line : split(text, '\n')) {
    if (trim(line).starts_with("# ")) continue;
    for (auto at = line.find(wanted); at != std::string_view::npos; at = line.find(wanted, at + 1)) {
      const auto after = line.substr(at + wanted.size());
      if (after.empty() || std::string_view(" \t,:=()\\").find(after[0]) != std::string_view::npos) return true;
    }
  }
  return false;
}

bool sudoers_may_name(const Files& files, const std::string& path, const std::string& group) {
  const auto file = files.read(path);
  if (!file) return file.error().code != ErrorCode::kNotFound;
  return file->truncated || names_group(file->bytes, group);
}

}  // namespace

bool makes_root(const Files& files, const std::string& group) {
  if (std::find(std::begin(kAdministrators), std::end(kAdministrators), group) != std::end(kAdministrators))
    return true;
  if (sudoers_may_name(files, "/etc/sudoers", group)) return true;
  const auto entries = files.list("/etc/sudoers.d");
  if (!entries) return entries.error().code != ErrorCode::kNotFound;
  const auto list = *entries;
  return std::any_of(list.begin(), list.end(), [&](const DirectoryEntry& entry) {
    return sudoers_may_name(files, concat({"/etc/sudoers.d/", entry.name}), group);
  });
}

bool lets_in(const Files& files, const std::string& group) {
  const auto read = read_sshd_settings(files, "/etc/ssh/sshd_config");
  return std::any_of(read.settings.begin(), read.settings.end(), [&](const SshdSetting& setting) {
    return equals_ignore_case(setting.option, "allowgroups") &&
           std::any_of(setting.words.begin(), setting.words.end(),
                       [&](const std::string& pattern) { return glob_match(pattern, group); });
  });
}

}  // namespace gpuharden
