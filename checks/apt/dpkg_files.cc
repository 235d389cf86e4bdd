// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/dpkg_files.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kInfo = "/var/lib/dpkg/info";
constexpr std::string_view kList = ".list";
constexpr std::size_t kListCap = std::size_t{64} << 20U;

// What a list may call the file, and the path that was asked for.
using Names = std::unordered_map<std::string_view, std::string_view>;

std::string package_of(std::string_view list) {
  list.remove_suffix(kList.size());
  return std::string(list.substr(0, list.find(':')));
}

void read_list(std::string_view text, const Names& names, const std::string& package, FileOwners& owners) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto found = names.find(line);
    if (found != names.end()) owners.packages.emplace(found->second, package);
  }
}

}  // namespace

std::map<std::string, std::string, std::less<>> parse_diversions(std::string_view text) {
  std::map<std::string, std::string, std::less<>> diversions;
  const auto lines = split(text, '\n');
  for (std::size_t at = 0; at + 2 < lines.size(); at += 3) {
    if (lines[at].starts_with('/') && lines[at + 1].starts_with('/')) diversions.emplace(lines[at + 1], lines[at]);
  }
  return diversions;
}

Result<FileOwners> find_file_owners(const Files& files, const std::vector<std::string>& paths) {
  GH_ASSIGN_OR_RETURN(const auto entries, files.list(kInfo));
  FileOwners owners;
  const auto text = files.read("/var/lib/dpkg/diversions", kListCap);
  if (!text && text.error().code != ErrorCode::kNotFound) owners.errors.push_back(text.error());
  const auto diversions = text ? parse_diversions(text->bytes) : parse_diversions({});
  constexpr std::string_view kUsr = "/usr";
  Names names;
  for (const std::string_view path : paths) {
    const auto diverted = diversions.find(path);
    for (const std::string_view name :
         {path, diverted == diversions.end() ? path : std::string_view(diverted->second)}) {
      names.emplace(name, path);
      if (name.starts_with("/usr/")) names.emplace(name.substr(kUsr.size()), path);
    }
  }
  for (const auto& entry : entries) {
    if (!entry.name.ends_with(kList)) continue;
    const auto list = files.read(concat({kInfo, "/", entry.name}), kListCap);
    if (!list) {
      if (list.error().code != ErrorCode::kNotFound) owners.errors.push_back(list.error());
      continue;
    }
    if (list->truncated)
      owners.errors.push_back({ErrorCode::kTooLarge, concat({kInfo, "/", entry.name, ": too large"})});
    read_list(list->bytes, names, package_of(entry.name), owners);
  }
  return owners;
}

}  // namespace gpuharden
