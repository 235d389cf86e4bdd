// SPDX-License-Identifier: GPL-2.0-or-later
// Where Python packages are installed, who can change them, and what PyTorch there was built for.
#include <map>

#include "checks/environment/path_exposure.h"
#include "checks/python/environments.h"
#include "checks/python/torch_version.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kSmallFile = 65536;

constexpr Column kColumns[] = {
    {"site_packages", ColumnType::kPath, "the folder of the packages, without links, in its own root",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"prefix", ColumnType::kPath, "the environment's folder; /usr and /usr/local for the distribution's Python",
     ColumnFlag::kNotNull},
    {"source", ColumnType::kText,
     "system (/usr), opt (/opt, /srv), home, unit (a local unit names it) or process (a GPU process uses it)",
     ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the root folder of the processes; NULL for the host's root"},
    {"is_virtual", ColumnType::kBoolean, "1 when there is a pyvenv.cfg"},
    {"base_python", ColumnType::kPath,
     "the folder of the Python that a virtual environment rests on (pyvenv.cfg home)"},
    {"uses_system_packages", ColumnType::kBoolean, "1 when a virtual environment takes the base's packages too"},
    {"uid", ColumnType::kInteger, "owner of the folder"},
    {"mode", ColumnType::kMode, "permission bits of the folder"},
    {"changeable_by", ColumnType::kText,
     "why others than root and the owner can change the folder; NULL when they cannot"},
    {"used_by", ColumnType::kText, "JSON list of the uids of GPU processes that have code of it mapped",
     ColumnFlag::kNotNull},
    {"torch_version", ColumnType::kVersion, "PyTorch's version, from torch/version.py; NULL when it is not installed"},
    {"torch_cuda", ColumnType::kVersion, "the CUDA version that it was built with; NULL for a build without CUDA"},
    {"torch_hip", ColumnType::kText,
     "the HIP version that it was built with, as 6.2.41134; NULL for a build without HIP"},
    {"torch_git_version", ColumnType::kText, "the commit that it was built from"},
};

class EnvironmentRows {
 public:
  explicit EnvironmentRows(TableReader& out) : out_(out) {}

  void add(const PythonEnvironment& environment) {
    const auto& site = environment.site_packages;
    std::vector<std::string> users;
    for (const auto uid : environment.used_by) users.push_back(std::to_string(uid));
    Row row = out_.row();
    row.set("site_packages", site)
        .set("prefix", environment.prefix)
        .set("source", environment.source)
        .set("container", environment.root->name())
        .set("used_by", concat({"[", join(users, ","), "]"}));
    set_config(row, environment);
    set_trust(row, environment);
    set_torch(row, environment);
  }

 private:
  static std::string_view value_of(std::string_view text, std::string_view name) {
    for (const auto line : split(text, '\n')) {
      const auto equals = line.find('=');
      if (equals != std::string_view::npos && trim(line.substr(0, equals)) == name)
        return trim(line.substr(equals + 1));
    }
    return {};
  }

  void set_config(Row& row, const PythonEnvironment& environment) const {
    const auto file = environment.files().read(environment.prefix + "/pyvenv.cfg", kSmallFile);
    if (!file && file.error().code != ErrorCode::kNotFound) {
      for (const auto* column : {"is_virtual", "base_python", "uses_system_packages"}) row.unread(column, file.error());
      return;
    }
    row.set("is_virtual", file.has_value());
    if (!file) return;
    const auto home = value_of(file->bytes, "home");
    if (home.starts_with('/')) row.set("base_python", home);
    row.set("uses_system_packages", equals_ignore_case(value_of(file->bytes, "include-system-site-packages"), "true"));
  }

  void set_trust(Row& row, const PythonEnvironment& environment) {
    const auto stat = environment.files().stat(environment.site_packages);
    if (!stat) {
      for (const auto* column : {"uid", "mode", "changeable_by"}) row.unread(column, stat.error());
      return;
    }
    row.set("uid", stat->uid).set("mode", stat->mode);
    if (!out_.wants("changeable_by")) return;
    auto& exposure = exposures_.try_emplace(environment.root.get(), environment.files()).first->second;
    const auto reason = exposure.of(environment.site_packages, stat->uid);
    row.set("changeable_by", reason);
  }

  static void unread_torch(Row& row, const Error& error) {
    for (const auto* column : {"torch_version", "torch_cuda", "torch_hip", "torch_git_version"})
      row.unread(column, error);
  }

  static void set_torch(Row& row, const PythonEnvironment& environment) {
    if (environment.entries_error) return unread_torch(row, *environment.entries_error);
    if (!environment.has("torch")) return;
    const std::string path = environment.site_packages + "/torch/version.py";
    const auto file = environment.files().read(path, kSmallFile);
    // A folder of that name without the file is no PyTorch, or one of a kind that is not known.
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return unread_torch(row, file.error());
    const auto torch = parse_torch_version(file->bytes);
    if (!torch.version) return unread_torch(row, {ErrorCode::kMalformed, path + ": no version in it"});
    row.set("torch_version", torch.version).set("torch_git_version", torch.git_version);
    const Error silent{ErrorCode::kMalformed, path + ": does not say what it was built for"};
    torch.names_cuda ? row.set("torch_cuda", torch.cuda) : row.unread("torch_cuda", silent);
    torch.names_hip ? row.set("torch_hip", torch.hip) : row.unread("torch_hip", silent);
  }

  TableReader& out_;
  std::map<const ProcessRoot*, PathExposure> exposures_;
};

void read_python_environments(TableReader& out) {
  const auto& found = python_environments(out.host(), out.shared());
  for (const auto& error : found.errors) out.gap(error);
  EnvironmentRows rows(out);
  for (const auto& environment : found.environments) rows.add(environment);
}

}  // namespace

Probe python_environments_probe() {
  return {
      {"python_environments",
       "Folders of installed Python packages in places that are known: /usr, /usr/local, directly in /opt and /srv, "
       "venv, .venv, .local and conda in homes, what local units run, and what GPU processes use, containers' "
       "included. The disk is not searched.",
       kColumns, TableCost::kFast, TableLane::kProcesses},
      &read_python_environments};
}

}  // namespace gpuharden
