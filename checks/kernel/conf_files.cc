// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/conf_files.h"

#include <algorithm>
#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool has_suffix(std::string_view name, std::span<const std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(),
                     [&](std::string_view suffix) { return name.size() > suffix.size() && name.ends_with(suffix); });
}

bool is_masked(const Files& files, const DirectoryEntry& entry, const std::string& path) {
  if (entry.type == FileType::kRegular) return false;
  const auto target = files.read_link(path);
  return target && *target == "/dev/null";
}

void read_one(const Files& files, const DirectoryEntry& entry, const std::string& path, ConfFiles& out) {
  if (is_masked(files, entry, path)) {
    out.files.push_back({path, "", 0});
    return;
  }
  auto file = files.read(path);
  if (!file) {
    out.errors.push_back({path, file.error()});
    return;
  }
  if (file->truncated) {
    out.errors.push_back({path, {ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})}});
  }
  out.files.push_back({path, std::move(file->bytes), file->stat.mtime});
}

}  // namespace

ConfFiles read_conf_files(const Files& files, std::span<const std::string_view> folders,
                          std::span<const std::string_view> suffixes) {
  ConfFiles out;
  std::map<std::string, std::pair<DirectoryEntry, std::string>> by_name;
  for (const auto folder : folders) {
    const auto entries = files.list(folder);
    if (!entries && entries.error().code == ErrorCode::kNotFound) continue;
    if (!entries) {
      out.errors.push_back({std::string(folder), entries.error()});
      continue;
    }
    for (const auto& entry : *entries) {
      if (entry.name.starts_with('.') || entry.type == FileType::kDirectory || !has_suffix(entry.name, suffixes))
        continue;
      by_name.try_emplace(entry.name, entry, concat({folder, "/", entry.name}));
    }
  }
  for (const auto& [name, found] : by_name) read_one(files, found.first, found.second, out);
  return out;
}

}  // namespace gpuharden
