// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_facts.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kLists = "/var/lib/dpkg/info";
constexpr std::size_t kListCap = std::size_t{16} << 20U;

// dpkg's lists are older than merged /usr and say /lib where the file is in /usr/lib.
std::string_view without_usr(std::string_view path) {
  return path.starts_with("/usr/lib/") ? path.substr(4) : path;
}

bool is_likely(std::string_view list) {
  static constexpr std::array<std::string_view, 6> kWords = {"linux-", "nvidia", "amdgpu", "dkms", "modules", "rocm"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) { return list.find(word) != std::string_view::npos; });
}

// "linux-modules-x" of "linux-modules-x:amd64.list".
std::string package_of(std::string_view list) {
  list.remove_suffix(std::string_view(".list").size());
  return std::string(list.substr(0, list.find(':')));
}

// Takes the paths that stand in the list out of `missing`.
void claim(std::string_view list_name, std::string_view text, std::set<std::string>& missing,
           std::map<std::string, std::string>& owners) {
  for (auto path = missing.begin(); path != missing.end();) {
    const auto key = without_usr(*path);
    auto at = text.find(key);
    const auto is_whole_line = [&] {
      const auto start = at >= 4 && text.substr(at - 4, 4) == "/usr" ? at - 4 : at;
      const auto end = at + key.size();
      return (start == 0 || text[start - 1] == '\n') && (end == text.size() || text[end] == '\n');
    };
    while (at != std::string_view::npos && !is_whole_line()) at = text.find(key, at + 1);
    if (at == std::string_view::npos) {
      ++path;
      continue;
    }
    owners.emplace(*path, package_of(list_name));
    path = missing.erase(path);
  }
}

}  // namespace

const ModuleTrees& module_trees(TableReader& out) {
  return out.shared().get<ModuleTrees>(out.host(), [](const Host&) { return ModuleTrees(); });
}

const DkmsTree& dkms_tree(TableReader& out) {
  const ModuleTrees& trees = module_trees(out);
  return out.shared().get<DkmsTree>(out.host(), [&](const Host& host) { return read_dkms_tree(host, trees); });
}

Result<std::map<std::string, std::string>> package_owners(const Files& files, const std::set<std::string>& paths) {
  const auto entries = files.list(kLists);
  if (!entries && entries.error().code == ErrorCode::kNotFound) {
    return Error{ErrorCode::kUnsupported, concat({kLists, ": there is no dpkg database, and no other kind is read"})};
  }
  if (!entries) return entries.error();
  std::map<std::string, std::string> owners;
  std::set<std::string> missing = paths;
  for (const bool likely : {true, false}) {
    for (const auto& entry : *entries) {
      if (missing.empty()) return owners;
      if (!entry.name.ends_with(".list") || is_likely(entry.name) != likely) continue;
      const auto list = files.read(concat({kLists, "/", entry.name}), kListCap);
      if (!list) return list.error();
      claim(entry.name, list->bytes, missing, owners);
    }
  }
  return owners;
}

}  // namespace gpuharden
