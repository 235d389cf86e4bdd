// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_facts.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kLists = "/var/lib/dpkg/info";
constexpr std::size_t kListCap = std::size_t{16} << 20U;

// dpkg's lists are older than merged /usr and say /lib where the file is in /usr/lib.
std::string_view without_usr(std::string_view path) { return path.starts_with("/usr/lib/") ? path.substr(4) : path; }

bool is_likely(std::string_view list) {
  static constexpr std::array<std::string_view, 6> kWords = {"linux-", "nvidia", "amdgpu", "dkms", "modules", "rocm"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return list.find(word) != std::string_view::npos; });
}

// "linux-modules-x" of "linux-modules-x:amd64.list".
std::string package_of(std::string_view list) {
  list.remove_suffix(std::string_view(".list").size());
  return std::string(list.substr(0, list.find(':')));
}

// Only what is about modules is ever asked for.
bool is_of_interest(std::string_view path) {
  return path.starts_with("/lib/modules/") || path.starts_with("/usr/src/");
}

// What dpkg's lists say of such paths, read in two steps: the lists of packages that are likely to
// hold modules, and all the others when some path is in none of those.
class PackageIndex {
 public:
  Result<const std::string*> owner_of(const Files& files, std::string_view path) {
    const auto key = without_usr(path);
    for (const bool likely : {true, false}) {
      GH_RETURN_IF_ERROR(read(files, likely));
      const auto found = owners_.find(key);
      if (found != owners_.end()) return &found->second;
    }
    return static_cast<const std::string*>(nullptr);
  }

 private:
  Status read(const Files& files, bool likely) {
    bool& done = likely ? has_likely_ : has_others_;
    if (done) return {};
    if (!entries_) {
      auto entries = files.list(kLists);
      if (!entries && entries.error().code == ErrorCode::kNotFound) {
        return Error{ErrorCode::kUnsupported,
                     concat({kLists, ": there is no dpkg database, and no other kind is read"})};
      }
      if (!entries) return entries.error();
      entries_ = std::move(*entries);
    }
    for (const auto& entry : *entries_) {
      if (!entry.name.ends_with(".list") || is_likely(entry.name) != likely) continue;
      const auto list = files.read(concat({kLists, "/", entry.name}), kListCap);
      if (!list) return list.error();
      add(package_of(entry.name), list->bytes);
    }
    done = true;
    return {};
  }

  void add(const std::string& package, std::string_view text) {
    for (std::size_t start = 0; start < text.size();) {
      const auto end = std::min(text.find('\n', start), text.size());
      const auto path = without_usr(text.substr(start, end - start));
      if (is_of_interest(path)) owners_.emplace(path, package);
      start = end + 1;
    }
  }

  std::optional<std::vector<DirectoryEntry>> entries_;
  std::map<std::string, std::string, std::less<>> owners_;
  bool has_likely_ = false;
  bool has_others_ = false;
};

// SharedFacts hands out what it keeps as const; the index fills itself while it is asked.
struct SharedPackageIndex {
  std::shared_ptr<PackageIndex> index = std::make_shared<PackageIndex>();
};

}  // namespace

const ModuleTrees& module_trees(TableReader& out) {
  return out.shared().get<ModuleTrees>(out.host(), [](const Host&) { return ModuleTrees(); });
}

const DkmsTree& dkms_tree(TableReader& out) {
  const ModuleTrees& trees = module_trees(out);
  return out.shared().get<DkmsTree>(out.host(), [&](const Host& host) { return read_dkms_tree(host, trees); });
}

namespace {

struct DkmsInstalledFiles {
  std::set<std::string> paths;
};

DkmsInstalledFiles list_dkms_files(const DkmsTree& tree) {
  DkmsInstalledFiles out;
  for (const auto& version : tree.versions) {
    for (const auto& build : version.builds) {
      for (const auto& file : build.files) {
        if (file.installed) out.paths.insert(*file.installed);
      }
    }
  }
  return out;
}

}  // namespace

const std::set<std::string>& dkms_installed_files(TableReader& out) {
  const DkmsTree& tree = dkms_tree(out);
  return out.shared().get<DkmsInstalledFiles>(out.host(), [&](const Host&) { return list_dkms_files(tree); }).paths;
}

Result<std::map<std::string, std::string>> package_owners(TableReader& out, const std::set<std::string>& paths) {
  const auto& shared =
      out.shared().get<SharedPackageIndex>(out.host(), [](const Host&) { return SharedPackageIndex(); });
  std::map<std::string, std::string> owners;
  for (const auto& path : paths) {
    GH_ASSIGN_OR_RETURN(const std::string* owner, shared.index->owner_of(out.files(), path));
    if (owner != nullptr) owners.emplace(path, *owner);
  }
  return owners;
}

}  // namespace gpuharden
