// SPDX-License-Identifier: GPL-2.0-or-later
// The kernels that this machine can be started with, and whether each has its GPU modules.
#include <algorithm>
#include <array>
#include <set>

#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"release", ColumnType::kText, "name of the folder in /lib/modules", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"running", ColumnType::kBoolean, "whether it is the running kernel"},
    {"bootable", ColumnType::kBoolean, "whether /boot or the modules folder holds a kernel image of this release",
     ColumnFlag::kNotNull},
    {"has_nvidia", ColumnType::kBoolean, "whether there is a file for the module nvidia (or Debian's nvidia-current)"},
    {"nvidia_path", ColumnType::kPath, "that file; NULL when there is none"},
    {"nvidia_provenance", ColumnType::kText,
     "who brought that file: dkms, package, or unmanaged when neither knows it; NULL when there is none"},
    {"nvidia_package", ColumnType::kText, "package that owns that file; NULL when none does"},
    {"has_amdgpu", ColumnType::kBoolean, "whether there is a file for the module amdgpu"},
    {"amdgpu_path", ColumnType::kPath, "that file; NULL when there is none"},
    {"headers", ColumnType::kBoolean, "whether the link \"build\" leads to a folder, so that DKMS can build for it",
     ColumnFlag::kNotNull},
    {"initrd", ColumnType::kPath, "its initial RAM disk in /boot; NULL when there is none"},
    {"initrd_mtime", ColumnType::kInteger,
     "when that was made, seconds since the epoch; it holds the modprobe.d of that time"},
};

std::optional<std::string> first_existing(const Files& files, const std::vector<std::string>& paths) {
  const auto found =
      std::find_if(paths.begin(), paths.end(), [&](const std::string& path) { return may_exist(files, path); });
  return found == paths.end() ? std::nullopt : std::optional(*found);
}

// A file that is named but gone is none.
std::optional<std::string> find_module(const Files& files, const ModuleTree& tree,
                                       std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    const auto path = tree.find(name);
    if (path && may_exist(files, *path)) return path;
  }
  return std::nullopt;
}

std::optional<Error> why_unknown(const ModuleTree& tree, const Files& files) {
  if (!tree.errors.empty()) return tree.errors.front();
  if (tree.is_indexed || !may_exist(files, tree.folder + "/kernel")) return std::nullopt;
  return Error{ErrorCode::kNotFound, tree.folder + "/modules.dep: is not there, so kernel/ was not searched"};
}

void set_module(Row& row, const std::string& name, const std::optional<std::string>& path,
                const std::optional<Error>& unknown) {
  if (!path && unknown) {
    row.unread("has_" + name, *unknown).unread(name + "_path", *unknown);
    return;
  }
  row.set("has_" + name, path.has_value()).set(name + "_path", path);
}

void set_provenance(Row& row, const std::optional<std::string>& path, TableReader& out) {
  if (!path || (!out.wants("nvidia_provenance") && !out.wants("nvidia_package"))) return;
  if (dkms_installed_files(out).contains(*path)) {
    row.set("nvidia_provenance", "dkms");
    return;
  }
  const auto owners = package_owners(out, {*path});
  if (!owners) {
    row.unread("nvidia_provenance", owners.error()).unread("nvidia_package", owners.error());
    return;
  }
  const auto owner = owners->find(*path);
  row.set("nvidia_provenance", owner == owners->end() ? "unmanaged" : "package");
  if (owner != owners->end()) row.set("nvidia_package", owner->second);
}

void add_row(const std::string& release, const Result<std::string>& running, TableReader& out) {
  const Files& files = out.files();
  const auto& tree = module_trees(out).of(files, release);
  const auto nvidia = find_module(files, tree, {"nvidia", "nvidia_current", "nvidia_current_open"});
  const auto headers = files.stat(tree.folder + "/build");
  const auto unknown = why_unknown(tree, files);
  const auto initrd = first_existing(files, {"/boot/initrd.img-" + release, "/boot/initramfs-" + release + ".img"});
  auto row = out.row();
  row.set("release", release)
      .set("bootable",
           first_existing(files, {"/boot/vmlinuz-" + release, tree.folder + "/vmlinuz", "/boot/vmlinux-" + release})
               .has_value())
      .set("initrd", initrd);
  if (initrd) {
    const auto made = files.stat(*initrd);
    made ? row.set("initrd_mtime", made->mtime) : row.unread("initrd_mtime", made.error());
  }
  const bool is_known = headers || headers.error().code == ErrorCode::kNotFound;
  is_known ? row.set("headers", headers && headers->type == FileType::kDirectory)
           : row.unread("headers", headers.error());
  running ? row.set("running", release == *running) : row.unread("running", running.error());
  set_module(row, "nvidia", nvidia, unknown);
  set_module(row, "amdgpu", find_module(files, tree, {"amdgpu"}), unknown);
  set_provenance(row, nvidia, out);
}

void read_kernels_installed(TableReader& out) {
  const auto releases = installed_kernels(out.files());
  if (!releases) return out.gap(releases.error());
  const auto running = running_release(out.host());
  for (const auto& release : *releases) add_row(release, running, out);
}

}  // namespace

Probe kernels_installed_probe() {
  return {{"kernels_installed",
           "The kernels that have a folder in /lib/modules, with their GPU modules. Only names are read.", kColumns},
          &read_kernels_installed};
}

}  // namespace gpuharden
