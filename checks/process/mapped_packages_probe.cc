// SPDX-License-Identifier: GPL-2.0-or-later
// Which package the code inside GPU processes comes from.
#include <map>
#include <set>

#include "checks/apt/dpkg_files.h"
#include "checks/process/mapped_files.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the file, in the processes' own root", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the processes' root folder; NULL for the host's root"},
    {"package", ColumnType::kText, "the package that brought it; NULL when none did, or when there is no dpkg"},
    {"is_packaged", ColumnType::kBoolean,
     "whether a package brought it; NULL where the root has no lists of dpkg: another distribution"},
    {"pid", ColumnType::kInteger, "the first process that has it"},
    {"process", ColumnType::kText, "its command name"},
    {"unit", ColumnType::kText, "its systemd service or scope"},
};

// /usr and what is now in it belong to packages; /usr/local, /opt and homes do not.
bool is_packages_place(std::string_view path) {
  if (path.starts_with("/usr/local/")) return false;
  for (const std::string_view place : {"/usr/", "/lib/", "/lib64/", "/bin/", "/sbin/"}) {
    if (path.starts_with(place)) return true;
  }
  return false;
}

struct RootFilesInUse {
  std::shared_ptr<const ProcessRoot> root;
  std::map<std::string, const GpuProcess*> files;  // the first process of each
};

class PackageReader {
 public:
  explicit PackageReader(TableReader& out)
      : out_(out), facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)) {}

  void read() {
    const auto& mapped = mapped_files(out_.host(), out_.shared());
    for (const auto& error : mapped.errors) out_.gap(error);
    for (const auto& process : mapped.processes) gather(process);
    for (const auto& [key, in_use] : roots_) add_root(in_use);
  }

 private:
  void gather(const GpuProcess& process) {
    if (process.files_error) out_.gap(*process.files_error);
    if (process.root_error) out_.gap(*process.root_error);
    if (!process.root) return;
    auto& in_use = roots_[process.root_number];
    in_use.root = process.root;
    for (const auto& file : process.files) {
      if (!file.is_deleted && is_packages_place(file.path)) in_use.files.emplace(file.path, &process);
    }
  }

  void add_root(const RootFilesInUse& in_use) {
    std::vector<std::string> paths;
    for (const auto& [path, process] : in_use.files) paths.push_back(path);
    const auto owners = find_file_owners(in_use.root->files(), paths);
    const bool has_no_lists = !owners && owners.error().code == ErrorCode::kNotFound;
    if (!owners && !has_no_lists) out_.gap(owners.error());
    if (owners) {
      for (const auto& error : owners->errors) out_.gap(error);
    }
    for (const auto& [path, process] : in_use.files) {
      auto row = out_.row();
      row.set("path", path).set("container", in_use.root->name()).set("pid", process->id);
      if (const auto& name = facts_.name(process->id)) row.set("process", *name);
      if (const auto& group = facts_.group(process->id)) row.set("unit", group->unit);
      if (!owners) continue;
      const auto found = owners->packages.find(path);
      row.set("is_packaged", found != owners->packages.end());
      if (found != owners->packages.end()) row.set("package", found->second);
    }
  }

  TableReader& out_;
  const ProcessFacts& facts_;
  std::map<std::size_t, RootFilesInUse> roots_;
};

void read_mapped_packages(TableReader& out) { PackageReader(out).read(); }

}  // namespace

Probe mapped_packages_probe() {
  return {
      {"mapped_packages",
       "Code that GPU processes have mapped from the folders of packages (/usr without /usr/local), and the package "
       "that brought it, by dpkg's lists in the processes' own root.",
       kColumns, TableCost::kDeep, TableLane::kProcesses},
      &read_mapped_packages};
}

}  // namespace gpuharden
