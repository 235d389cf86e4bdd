// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/files.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool has_wildcard(std::string_view text) { return text.find_first_of("*?[") != std::string_view::npos; }

// The entries of `folder` that match one pattern component.
void match_folder(const Files& files, const std::string& folder, std::string_view component,
                  std::vector<std::string>& matches, std::vector<Error>& errors) {
  auto entries = files.list(folder.empty() ? "/" : folder);
  if (!entries) {
    const auto code = entries.error().code;
    if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) errors.push_back(entries.error());
    return;
  }
  for (const auto& entry : *entries) {
    // As in the shell, a leading dot must be matched by a dot.
    if (entry.name[0] == '.' && component[0] != '.') continue;
    if (glob_match(component, entry.name)) matches.push_back(concat({folder, "/", entry.name}));
  }
}

}  // namespace

std::string_view to_string(FileType type) {
  static constexpr std::array<std::string_view, 8> kWords = {"file",         "directory", "symlink", "character device",
                                                             "block device", "fifo",      "socket",  "unknown"};
  return kWords.at(static_cast<std::size_t>(type));
}

Result<std::vector<LinkEntry>> Files::links(std::string_view folder) const {
  GH_ASSIGN_OR_RETURN(const auto entries, list(folder));
  std::vector<LinkEntry> out;
  for (const auto& entry : entries) out.push_back({entry.name, read_link(concat({folder, "/", entry.name}))});
  return out;
}

std::vector<std::string> expand_glob(const Files& files, std::string_view pattern, std::vector<Error>& errors,
                                     std::size_t limit) {
  std::vector<std::string> paths = {""};
  const auto components = split(pattern.substr(pattern.empty() ? 0 : 1), '/');
  for (const auto component : components) {
    if (component.empty()) continue;
    std::vector<std::string> next;
    for (const auto& folder : paths) {
      if (has_wildcard(component)) {
        match_folder(files, folder, component, next, errors);
      } else {
        next.push_back(concat({folder, "/", component}));
      }
      if (next.size() > limit) {
        errors.push_back({ErrorCode::kTooLarge, concat({pattern, ": more than ", std::to_string(limit), " matches"})});
        next.resize(limit);
        break;
      }
    }
    paths = std::move(next);
  }
  // Literal components were not looked up yet.
  if (!has_wildcard(components.back())) {
    std::erase_if(paths, [&](const std::string& path) {
      auto stat = files.lstat(path);
      if (!stat && stat.error().code != ErrorCode::kNotFound) errors.push_back(stat.error());
      return !stat;
    });
  }
  return paths;
}

}  // namespace gpuharden
