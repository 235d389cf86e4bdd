// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/merged_files.h"

#include <map>

#include "checks/systemd/unit_loader.h"
#include "engine/base/text.h"

namespace gpuharden {

std::vector<std::string> files_in(const Files& files, std::string_view folder, std::string_view suffix,
                                  std::vector<Error>& errors) {
  const auto entries = files.list(folder);
  if (!entries) {
    const auto code = entries.error().code;
    if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) errors.push_back(entries.error());
    return {};
  }
  std::vector<std::string> paths;
  for (const auto& entry : *entries) {
    if (entry.name[0] != '.' && entry.name.ends_with(suffix)) paths.push_back(concat({folder, "/", entry.name}));
  }
  return paths;
}

std::vector<std::string> merged_files(const Files& files, std::span<const std::string> folders, std::string_view suffix,
                                      std::vector<Error>& errors) {
  std::map<std::string, std::string> by_name;
  for (const auto& folder : folders) {
    for (auto& path : files_in(files, folder, suffix, errors)) by_name.emplace(path.substr(folder.size()), path);
  }
  std::vector<std::string> paths;
  for (auto& [name, path] : by_name) {
    const auto link = files.read_link(path);
    if (!link || link_target(path, *link) != "/dev/null") paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace gpuharden
