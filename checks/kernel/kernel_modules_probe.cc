// SPDX-License-Identifier: GPL-2.0-or-later
// The modules that are loaded, and where each comes from.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "checks/kernel/module_file.h"
#include "checks/kernel/proc_modules.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kListCap = std::size_t{4} << 20U;

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "name as the kernel writes it, with '_': nvidia_uvm",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"size", ColumnType::kInteger, "memory it takes, bytes", ColumnFlag::kNotNull},
    {"reference_count", ColumnType::kInteger, "users of the module; NULL when the kernel cannot unload modules"},
    {"used_by", ColumnType::kText, "modules that use it, separated by commas", ColumnFlag::kNotNull},
    {"state", ColumnType::kText, "Live, Loading or Unloading", ColumnFlag::kNotNull},
    {"taint", ColumnType::kText,
     "taint letters of this module: P proprietary, O out of tree, E unsigned, F forced, …; "
     "empty for none",
     ColumnFlag::kNotNull},
    {"proprietary", ColumnType::kBoolean, "whether its licence is not compatible with the kernel's (taint P)",
     ColumnFlag::kNotNull},
    {"path", ColumnType::kPath,
     "file that its name means in /lib/modules of the running kernel; NULL when there is none"},
    {"in_tree", ColumnType::kBoolean,
     "whether the file is in kernel/ and the module does not call itself out of tree (taint O); "
     "NULL when there is no file"},
    {"provenance", ColumnType::kText,
     "who brought the file: kernel, dkms, package, or unmanaged for a module that none of these knows"},
    {"package", ColumnType::kText, "package that owns the file, looked up for modules out of tree that are not DKMS's"},
    {"version", ColumnType::kVersion, "/sys/module/NAME/version; NULL when the module does not say"},
    {"source_version", ColumnType::kText, "/sys/module/NAME/srcversion; NULL when the module does not say"},
    {"signed", ColumnType::kBoolean,
     "whether a signature is appended to the file; costly, the file is read; NULL when there is no file"},
    {"signer", ColumnType::kText, "common name of who signed the file; costly; NULL when unsigned or unknown"},
};

struct Origin {
  std::optional<std::string> path;
  std::optional<Error> path_error;
  std::optional<std::string> provenance, package;
  std::optional<Error> provenance_error;
};

bool is_out_of_tree(const LoadedModule& module) { return module.taint.find('O') != std::string::npos; }

bool is_below_kernel(const std::string& path, const std::string& folder) {
  return path.starts_with(folder + "/kernel/");
}

void find_path(const LoadedModule& module, const Result<std::string>& release, TableReader& out, Origin& origin) {
  if (!release) {
    origin.path_error = release.error();
    return;
  }
  const auto& tree = module_trees(out).of(out.files(), *release);
  origin.path = tree.find(module.name);
  if (origin.path || tree.is_indexed) return;
  origin.path_error =
      tree.errors.empty()
          ? Error{ErrorCode::kNotFound, concat({tree.folder, "/modules.dep: is not there, so files are not known"})}
          : tree.errors.front();
}

// Module files that DKMS installed, links resolved.
class Origins {
 public:
  Origins(const std::vector<LoadedModule>& modules, TableReader& out) : out_(out) {
    for (const auto& module : modules) origins_.try_emplace(module.name);
    if (!wants_files()) return;
    const auto release = running_release(out.host());
    folder_ = release ? "/lib/modules/" + *release : "";
    for (const auto& module : modules) find_path(module, release, out, origins_[module.name]);
    if (out.wants("provenance") || out.wants("package")) judge(modules);
  }
  const Origin& of(const LoadedModule& module) const { return origins_.at(module.name); }
  const std::string& folder() const { return folder_; }

 private:
  // The index of all modules is the largest thing read here.
  bool wants_files() const {
    static constexpr std::array<std::string_view, 6> kFromFiles = {"path",    "in_tree", "provenance",
                                                                   "package", "signed",  "signer"};
    return std::any_of(kFromFiles.begin(), kFromFiles.end(),
                       [&](std::string_view column) { return out_.wants(column); });
  }

  void judge(const std::vector<LoadedModule>& modules) {
    std::set<std::string> foreign;
    for (const auto& module : modules) {
      auto& origin = origins_[module.name];
      if (origin.path_error) {
        origin.provenance_error = origin.path_error;
      } else if (!origin.path) {
        origin.provenance = "unmanaged";
      } else if (!is_out_of_tree(module) && is_below_kernel(*origin.path, folder_)) {
        origin.provenance = "kernel";
      } else if (dkms_installed_files(out_).contains(*origin.path)) {
        origin.provenance = "dkms";
      } else {
        foreign.insert(*origin.path);
      }
    }
    if (!foreign.empty()) find_packages(foreign);
  }

  void find_packages(const std::set<std::string>& paths) {
    const auto owners = package_owners(out_, paths);
    for (auto& [name, origin] : origins_) {
      if (!origin.path || !paths.contains(*origin.path) || origin.provenance) continue;
      if (!owners) {
        origin.provenance_error = owners.error();
        continue;
      }
      const auto owner = owners->find(*origin.path);
      if (owner != owners->end()) origin.package = owner->second;
      // DKMS may have installed it all the same: what could not be read of its tree is not unmanaged.
      if (owner == owners->end() && !dkms_tree(out_).errors.empty()) {
        origin.provenance_error = dkms_tree(out_).errors.front();
      } else {
        origin.provenance = origin.package ? "package" : "unmanaged";
      }
    }
  }

  TableReader& out_;
  std::string folder_;
  std::map<std::string, Origin> origins_;
};

void set_sysfs(Row& row, std::string_view column, const LoadedModule& module, std::string_view file, TableReader& out) {
  if (!out.wants(column)) return;
  const auto folder = concat({"/sys/module/", module.name});
  const auto value = kernel_value(out.host(), concat({folder, "/", file}), folder);
  row.set(column, value);
}

void set_origin(Row& row, const LoadedModule& module, const Origins& origins) {
  const auto& origin = origins.of(module);
  if (origin.path_error) {
    row.unread("path", *origin.path_error).unread("in_tree", *origin.path_error);
  } else {
    row.set("path", origin.path);
    if (origin.path) row.set("in_tree", is_below_kernel(*origin.path, origins.folder()) && !is_out_of_tree(module));
  }
  if (origin.provenance_error) {
    row.unread("provenance", *origin.provenance_error).unread("package", *origin.provenance_error);
  } else {
    row.set("provenance", origin.provenance).set("package", origin.package);
  }
}

void set_signature(Row& row, const Origin& origin, TableReader& out) {
  if (!out.wants("signed") && !out.wants("signer")) return;
  if (origin.path_error) {
    row.unread("signed", *origin.path_error).unread("signer", *origin.path_error);
    return;
  }
  if (!origin.path) return;
  const auto signature = module_file_signature(out.files(), *origin.path);
  if (!signature) {
    row.unread("signed", signature.error()).unread("signer", signature.error());
    return;
  }
  row.set("signed", signature->is_signed).set("signer", signature->signer);
}

void read_kernel_modules(TableReader& out) {
  const Host& host = out.host();
  const auto file = out.files().read("/proc/modules", kListCap);
  if (!file) {
    // A kernel without modules has no such file: then nothing is loaded.
    const bool has_none =
        file.error().code == ErrorCode::kNotFound && host.kind() != HostKind::kImage && out.files().stat("/proc/sys");
    if (!has_none) out.gap(kernel_fact_error(host, file.error()));
    return;
  }
  if (file->truncated) out.gap({ErrorCode::kTooLarge, "/proc/modules: too large, its end was not read"});
  std::vector<std::uint32_t> bad_lines;
  const auto modules = parse_proc_modules(file->bytes, bad_lines);
  if (!bad_lines.empty()) {
    out.gap({ErrorCode::kMalformed, "/proc/modules:" + std::to_string(bad_lines.front()) + ": not a module"});
  }
  const Origins origins(modules, out);
  for (const auto& module : modules) {
    auto row = out.row();
    row.set("name", module.name)
        .set("size", module.size)
        .set("reference_count", module.references)
        .set("used_by", module.used_by)
        .set("state", module.state)
        .set("taint", module.taint)
        .set("proprietary", module.taint.find('P') != std::string::npos);
    set_origin(row, module, origins);
    set_sysfs(row, "version", module, "version", out);
    set_sysfs(row, "source_version", module, "srcversion", out);
    set_signature(row, origins.of(module), out);
  }
}

}  // namespace

Probe kernel_modules_probe() {
  return {{"kernel_modules", "The loaded kernel modules, from /proc/modules, with the file each name means.", kColumns},
          &read_kernel_modules};
}

}  // namespace gpuharden
