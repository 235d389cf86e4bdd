// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_tree.h"

#include <algorithm>
#include <array>

#include "checks/kernel/module_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kIndexCap = std::size_t{32} << 20U;
constexpr std::size_t kMaxAdditional = 20000;
constexpr int kMaxDepth = 8;

struct Folder {
  std::string path;
  int depth = 0;
};

// Links to folders are not followed: depmod does not either.
void walk(const Files& files, std::string start, ModuleTree& tree) {
  std::vector<Folder> pending = {{std::move(start), 0}};
  while (!pending.empty()) {
    const Folder folder = std::move(pending.back());
    pending.pop_back();
    const auto entries = files.list(folder.path);
    if (!entries && entries.error().code == ErrorCode::kNotFound) continue;
    if (!entries) {
      tree.errors.push_back(entries.error());
      continue;
    }
    for (const auto& entry : *entries) {
      std::string path = concat({folder.path, "/", entry.name});
      if (entry.type == FileType::kDirectory) {
        if (folder.depth < kMaxDepth) pending.push_back({std::move(path), folder.depth + 1});
      } else if (!module_name_of_file(path).empty()) {
        tree.additional.push_back(std::move(path));
      }
    }
    if (tree.additional.size() > kMaxAdditional) {
      tree.errors.push_back({ErrorCode::kTooLarge, concat({folder.path, ": too many module files"})});
      return;
    }
  }
}

// Lines "kernel/fs/ext4/ext4.ko: what it needs".
void read_index(const Files& files, ModuleTree& tree) {
  auto file = files.read(tree.folder + "/modules.dep", kIndexCap);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) {
    tree.errors.push_back(file.error());
    return;
  }
  if (file->truncated) tree.errors.push_back({ErrorCode::kTooLarge, tree.folder + "/modules.dep: too large"});
  tree.is_indexed = !file->truncated;
  tree.text = std::make_shared<const std::string>(std::move(file->bytes));
  for (const auto line : split(*tree.text, '\n')) {
    const auto path = line.substr(0, line.find(':'));
    auto name = module_name_of_file(path);
    if (!name.empty()) tree.paths.try_emplace(std::move(name), path);
  }
}

}  // namespace

std::optional<std::string> ModuleTree::find(std::string_view name) const {
  const auto found = paths.find(std::string(name));
  if (found == paths.end()) return is_indexed ? std::nullopt : find_additional(name);
  const bool is_absolute = found->second.starts_with('/');
  return is_absolute ? std::string(found->second) : concat({folder, "/", found->second});
}

std::optional<std::string> ModuleTree::find_additional(std::string_view name) const {
  const auto found = additional_by_name.find(std::string(name));
  return found == additional_by_name.end() ? std::nullopt : std::optional(additional[found->second]);
}

ModuleTree read_module_tree(const Files& files, std::string_view release) {
  ModuleTree tree;
  tree.folder = concat({"/lib/modules/", release});
  read_index(files, tree);
  // depmod's own order of search, of which weak-updates is a late part.
  static constexpr std::array<std::string_view, 3> kFolders = {"/updates", "/extra", "/weak-updates"};
  for (const auto name : kFolders) {
    const auto old_size = static_cast<std::ptrdiff_t>(tree.additional.size());
    walk(files, concat({tree.folder, name}), tree);
    std::sort(tree.additional.begin() + old_size, tree.additional.end());
  }
  for (std::size_t i = 0; i < tree.additional.size(); ++i) {
    tree.additional_by_name.try_emplace(module_name_of_file(tree.additional[i]), i);
  }
  return tree;
}

const ModuleTree& ModuleTrees::of(const Files& files, const std::string& release) const {
  const auto known = trees_.find(release);
  return known != trees_.end() ? known->second
                               : trees_.emplace(release, read_module_tree(files, release)).first->second;
}

bool may_exist(const Files& files, std::string_view path) {
  const auto stat = files.stat(path);
  return stat || stat.error().code != ErrorCode::kNotFound;
}

Result<std::vector<std::string>> installed_kernels(const Files& files) {
  const auto entries = files.list("/lib/modules");
  std::vector<std::string> releases;
  if (!entries && entries.error().code == ErrorCode::kNotFound) return releases;
  if (!entries) return entries.error();
  static constexpr std::array<std::string_view, 5> kSigns = {"/modules.dep", "/kernel", "/modules.builtin", "/extra",
                                                             "/weak-updates"};
  for (const auto& entry : *entries) {
    const auto folder = concat({"/lib/modules/", entry.name});
    const bool holds_modules = std::any_of(kSigns.begin(), kSigns.end(), [&](std::string_view sign) {
      return may_exist(files, concat({folder, sign}));
    });
    if (holds_modules) releases.push_back(entry.name);
  }
  return releases;
}

}  // namespace gpuharden
