// SPDX-License-Identifier: GPL-2.0-or-later
// The NVIDIA driver: the module that runs, the libraries that talk to it, and what is installed.
#include <array>

#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "checks/nvidia/nvidia_version.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"loaded_version", ColumnType::kVersion,
     "version of the loaded module, from /sys/module/nvidia/version or /proc/driver/nvidia/version; NULL when it is "
     "not loaded"},
    {"flavour", ColumnType::kText, "open or proprietary, of the loaded module, from /proc/driver/nvidia/version"},
    {"library_version", ColumnType::kVersion,
     "version of libnvidia-ml, else of libcuda: what programs use; NULL when neither is installed in a usual folder"},
    {"cuda_library", ColumnType::kPath, "the file that libcuda.so.1 means; NULL when there is none"},
    {"cuda_library_version", ColumnType::kVersion, "its version, from its name"},
    {"management_library", ColumnType::kPath, "the file that libnvidia-ml.so.1 means; NULL when there is none"},
    {"management_library_version", ColumnType::kVersion, "its version, from its name"},
    {"installed_version", ColumnType::kVersion,
     "version that DKMS installed for the running kernel; NULL when DKMS does not manage the driver"},
};

constexpr std::array<std::string_view, 8> kLibraryFolders = {"/usr/lib/x86_64-linux-gnu",
                                                             "/usr/lib/aarch64-linux-gnu",
                                                             "/usr/lib64",
                                                             "/usr/lib/x86_64-linux-gnu/nvidia/current",
                                                             "/usr/lib/aarch64-linux-gnu/nvidia/current",
                                                             "/usr/lib",
                                                             "/lib/x86_64-linux-gnu",
                                                             "/usr/lib/nvidia"};

struct Library {
  std::optional<std::string> path, version;
  std::optional<Error> error;
};

bool is_absent(const Error& error) { return error.code == ErrorCode::kNotFound; }

// What the loader finds by the soname decides; a file without that link is second best.
Library find_library(const Files& files, std::string_view name) {
  Library library;
  for (const auto folder : kLibraryFolders) {
    const auto real = files.real_path(concat({folder, "/", name, ".so.1"}));
    if (!real) {
      if (!is_absent(real.error()) && !library.error) library.error = real.error();
      continue;
    }
    library.path = *real;
    library.version = version_of_library(std::string_view(*real).substr(real->rfind('/') + 1), name);
    if (library.version) return library;
  }
  for (const auto folder : kLibraryFolders) {
    const auto entries = files.list(folder);
    if (!entries && !is_absent(entries.error()) && !library.error) library.error = entries.error();
    if (!entries) continue;
    for (const auto& entry : *entries) {
      const auto version = version_of_library(entry.name, name);
      if (version) return {concat({folder, "/", entry.name}), version, std::nullopt};
    }
  }
  return library;
}

struct Loaded {
  std::optional<std::string> version;
  std::optional<std::string> flavour;
  std::optional<Error> error;
};

Loaded find_loaded(const Host& host) {
  Loaded loaded;
  const auto proc = kernel_value(host, "/proc/driver/nvidia/version", "/proc");
  const auto sys = kernel_value(host, "/sys/module/nvidia/version", "/sys/module");
  const auto parsed = proc && *proc ? parse_nvidia_version(**proc) : std::nullopt;
  if (parsed) {
    loaded.version = parsed->version;
    loaded.flavour = parsed->is_open ? "open" : "proprietary";
  }
  if (sys && *sys) loaded.version = **sys;
  if (!loaded.version && !proc) loaded.error = proc.error();
  if (!loaded.version && proc && *proc)
    loaded.error = Error{ErrorCode::kMalformed, "/proc/driver/nvidia/version: no version in it"};
  return loaded;
}

Result<std::optional<std::string>> installed_version(TableReader& out) {
  std::optional<std::string> version;
  const auto& tree = dkms_tree(out);
  const auto release = running_release(out.host());
  for (const auto& candidate : tree.versions) {
    if (!candidate.module.starts_with("nvidia") || candidate.module == "nvidia-fs") continue;
    if (!release) return release.error();
    for (const auto& build : candidate.builds) {
      const bool is_there = build.state == DkmsState::kInstalled || build.state == DkmsState::kInstalledWeak;
      if (is_there && build.kernel == *release) version = candidate.version;
    }
  }
  if (!version && !tree.errors.empty()) return tree.errors.front();
  return version;
}

void set_library(Row& row, const Library& library, std::string_view column) {
  const std::string version_column = concat({column, "_version"});
  if (!library.version && library.error) {
    row.unread(column, *library.error).unread(version_column, *library.error);
    return;
  }
  row.set(column, library.path).set(version_column, library.version);
}

void read_nvidia_driver(TableReader& out) {
  const Loaded loaded = find_loaded(out.host());
  const Library cuda = find_library(out.files(), "libcuda");
  const Library management = find_library(out.files(), "libnvidia-ml");
  const auto installed = installed_version(out);
  const bool is_there = loaded.version || cuda.path || management.path || (installed && *installed);
  const bool is_unknown = loaded.error && loaded.error->code != ErrorCode::kNotHeld;
  if (!is_there && !is_unknown && !cuda.error && !management.error && installed) return;
  auto row = out.row();
  if (loaded.error) {
    row.unread("loaded_version", *loaded.error).unread("flavour", *loaded.error);
  } else {
    row.set("loaded_version", loaded.version).set("flavour", loaded.flavour);
  }
  set_library(row, cuda, "cuda_library");
  set_library(row, management, "management_library");
  const auto& library = management.version ? management : cuda;
  library.version || !library.error ? row.set("library_version", library.version)
                                    : row.unread("library_version", *library.error);
  row.set("installed_version", installed);
}

}  // namespace

Probe nvidia_driver_probe() {
  return {
      {"nvidia_driver", "The NVIDIA driver on this machine. One row, or none when there is no trace of it.", kColumns},
      &read_nvidia_driver};
}

}  // namespace gpuharden
