// SPDX-License-Identifier: GPL-2.0-or-later
// The module files of the installed kernels, by name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

// /lib/modules/<release>. modules.dep says which file each name means; where there is none yet, the
// folders for additional modules are looked through.
struct ModuleTree {
  std::string folder;
  bool is_indexed = false;              // modules.dep was read: a name that is not in it has no file
  std::vector<Error> errors;            // what could not be read
  std::vector<std::string> additional;  // absolute paths in updates/, extra/ and weak-updates/, links too, sorted

  // The file that modprobe takes for a normalised name.
  std::optional<std::string> find(std::string_view name) const;
  // A file of that name outside of kernel/.
  std::optional<std::string> find_additional(std::string_view name) const;

  std::shared_ptr<const std::string> text;  // modules.dep; `paths` points into it
  std::unordered_map<std::string, std::string_view> paths;
  std::unordered_map<std::string, std::size_t> additional_by_name;  // index of the first
};

ModuleTree read_module_tree(const Files& files, std::string_view release);

// Trees, each read once; one reader keeps one of these. Not for several threads.
class ModuleTrees {
 public:
  const ModuleTree& of(const Files& files, const std::string& release) const;

 private:
  mutable std::map<std::string, ModuleTree> trees_;
};

// False only when it is known that nothing is there, a dangling link included: what cannot be looked
// at may exist.
bool may_exist(const Files& files, std::string_view path);

// Names of the folders in /lib/modules that hold a kernel's modules, sorted. An empty list when
// there is no such folder.
Result<std::vector<std::string>> installed_kernels(const Files& files);

}  // namespace gpuharden
