// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/files/package_owners.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFolder = "/var/lib/dpkg/info";
constexpr std::string_view kSuffix = ".list";
constexpr std::size_t kListCap = std::size_t{32} << 20U;

}  // namespace

void match_package_list(std::string_view text, const std::map<std::string, std::string, std::less<>>& wanted,
                        std::set<std::string>& found) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto match = wanted.find(text.substr(at, end - at));
    if (match != wanted.end()) found.insert(match->second);
    at = end + 1;
  }
}

Result<std::map<std::string, std::string>> find_package_owners(const Files& files, const std::set<std::string>& paths) {
  std::map<std::string, std::string> owners;
  std::map<std::string, std::string, std::less<>> wanted;
  for (const auto& path : paths) {
    wanted.emplace(path, path);
    if (path.starts_with("/usr/")) wanted.emplace(path.substr(4), path);
  }
  if (wanted.empty()) return owners;
  GH_ASSIGN_OR_RETURN(const auto entries, files.list(kFolder));
  for (const auto& entry : entries) {
    if (!entry.name.ends_with(kSuffix)) continue;
    GH_ASSIGN_OR_RETURN(const auto list, files.read(concat({kFolder, "/", entry.name}), kListCap));
    std::set<std::string> found;
    match_package_list(list.bytes, wanted, found);
    for (const auto& path : found) owners.emplace(path, entry.name.substr(0, entry.name.size() - kSuffix.size()));
    if (list.truncated)
      return Error{ErrorCode::kTooLarge, concat({kFolder, "/", entry.name, ": too large, its end was not read"})};
  }
  return owners;
}

}  // namespace gpuharden
