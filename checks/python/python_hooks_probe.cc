// SPDX-License-Identifier: GPL-2.0-or-later
// What runs, or is looked up, at the start of every Python program: path files, sitecustomize.
#include <map>

#include "checks/environment/path_exposure.h"
#include "checks/python/environments.h"
#include "checks/python/path_file.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHookCap = std::size_t{256} << 10U;
constexpr std::size_t kMaxHooks = 200;  // of one environment
constexpr std::size_t kMaxCode = 300;   // bytes of code that are shown
constexpr std::string_view kDebianFolder = "/usr/lib/python3";

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the hook", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "its file name", ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "import: a .pth file with lines that run. path: a folder that a .pth file adds, a row each. customize: "
     "sitecustomize or usercustomize",
     ColumnFlag::kNotNull},
    {"site_packages", ColumnType::kPath, "the environment that runs it; of the distribution's own hooks their folder",
     ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "of the environment: system, opt, home, unit, process", ColumnFlag::kNotNull},
    {"container", ColumnType::kText, "container id, or the root folder of the processes; NULL for the host's root"},
    {"code", ColumnType::kText, "of import: the first line that runs, cut to 300 bytes"},
    {"imports", ColumnType::kInteger, "of import: how many lines run"},
    {"risky_words", ColumnType::kText,
     "JSON list of words in the code that hooks seldom need: exec, base64, subprocess, socket, …; NULL for path and "
     "for "
     "compiled hooks"},
    {"path_value", ColumnType::kPath, "of path: the folder"},
    {"changeable_by", ColumnType::kText,
     "why others than root and the environment's owner can change the hook or the folder; NULL when they cannot"},
};

// A folder whose hooks are looked at.
struct HookFolder {
  const PythonEnvironment* environment;
  std::string path;
};

class HookReader {
 public:
  explicit HookReader(TableReader& out) : out_(out) {}

  void read(const PythonEnvironment& environment) {
    const auto& site = environment.site_packages;
    if (environment.entries_error) return out_.gap("*", "*", *environment.entries_error);
    read_entries(environment, site, environment.entries);
  }

  // The folder of the standard library may hold one too: /usr/lib/python3.12/sitecustomize.py.
  void read_library(const PythonEnvironment& environment) {
    const std::string folder = environment.site_packages.substr(0, environment.site_packages.rfind('/'));
    if (folder != kDebianFolder) return add_if_there(environment, folder);
    // Debian keeps its packages apart from the libraries of each version.
    const auto entries = environment.files().list("/usr/lib");
    if (!entries) return out_.gap(entries.error());
    for (const auto& entry : *entries) {
      if (entry.name.starts_with("python3.")) add_if_there(environment, concat({"/usr/lib/", entry.name}));
    }
  }

 private:
  void read_entries(const PythonEnvironment& environment, const std::string& folder,
                    const std::vector<DirectoryEntry>& entries) {
    std::size_t count = 0;
    for (const auto& entry : entries) {
      const bool is_path_file = entry.name.ends_with(".pth");
      const bool is_customize = is_customize_module(entry.name);
      if (!is_path_file && !is_customize) continue;
      if (++count > kMaxHooks) return out_.gap("*", "*", {ErrorCode::kTooLarge, concat({folder, ": too many hooks"})});
      is_path_file ? add_path_file(environment, folder, entry.name) : add_customize(environment, folder, entry.name);
    }
  }

  void add_if_there(const PythonEnvironment& environment, const std::string& folder) {
    for (const auto* name : {"sitecustomize.py", "usercustomize.py"}) {
      const std::string path = concat({folder, "/", name});
      const auto stat = environment.files().lstat(path);
      if (stat) add_customize(environment, folder, name);
      if (!stat && stat.error().code != ErrorCode::kNotFound) out_.gap(path, "*", stat.error());
    }
  }

  static bool is_customize_module(std::string_view name) {
    return name == "sitecustomize" || name == "usercustomize" || name.starts_with("sitecustomize.") ||
           name.starts_with("usercustomize.");
  }

  void add_path_file(const PythonEnvironment& environment, const std::string& folder, std::string_view name) {
    const std::string path = concat({folder, "/", name});
    const auto file = environment.files().read(path, kHookCap);
    if (!file) {
      if (file.error().code != ErrorCode::kNotFound) out_.gap(path, "*", file.error());
      return;
    }
    if (file->truncated) out_.gap(path, "*", {ErrorCode::kTooLarge, path + ": too large, its end was not read"});
    const auto hooks = parse_path_file(file->bytes);
    if (!hooks.imports.empty()) {
      Row row = out_.row();
      set_common(row, environment, folder, name, "import");
      row.set("code", std::string_view(hooks.imports.front()).substr(0, kMaxCode))
          .set("imports", static_cast<std::int64_t>(hooks.imports.size()))
          .set("risky_words", json_list(risky_words(join(hooks.imports, "\n"))));
      set_trust(row, environment, path);
    }
    std::size_t count = 0;
    for (const auto& line : hooks.paths) {
      if (++count > kMaxHooks) return out_.gap(path, "*", {ErrorCode::kTooLarge, path + ": too many folders"});
      add_path(environment, folder, name, line);
    }
  }

  void add_path(const PythonEnvironment& environment, const std::string& folder, std::string_view name,
                const std::string& line) {
    const std::string path = line.starts_with('/') ? line : concat({folder, "/", line});
    Row row = out_.row();
    set_common(row, environment, folder, name, "path");
    row.set("path_value", path);
    set_trust(row, environment, path);
  }

  void add_customize(const PythonEnvironment& environment, const std::string& folder, std::string_view name) {
    const std::string path = concat({folder, "/", name});
    Row row = out_.row();
    set_common(row, environment, folder, name, "customize");
    set_trust(row, environment, path);
    if (!name.ends_with(".py")) return;
    const auto file = environment.files().read(path, kHookCap);
    if (!file) {
      row.unread("risky_words", file.error());
    } else if (file->truncated) {
      row.unread("risky_words", {ErrorCode::kTooLarge, path + ": too large, its end was not read"});
    } else {
      row.set("risky_words", json_list(risky_words(file->bytes)));
    }
  }

  static void set_common(Row& row, const PythonEnvironment& environment, const std::string& folder,
                         std::string_view name, std::string_view kind) {
    row.set("file", concat({folder, "/", name}))
        .set("name", name)
        .set("kind", kind)
        .set("site_packages", folder)
        .set("source", environment.source)
        .set("container", environment.root->name());
  }

  void set_trust(Row& row, const PythonEnvironment& environment, const std::string& path) {
    if (!out_.wants("changeable_by")) return;
    const auto stat = environment.files().stat(environment.site_packages);
    auto& exposure = exposures_.try_emplace(environment.root.get(), environment.files()).first->second;
    const auto reason = exposure.of(path, stat ? std::optional(stat->uid) : std::nullopt);
    row.set("changeable_by", reason);
  }

  TableReader& out_;
  std::map<const ProcessRoot*, PathExposure> exposures_;
};

void read_python_hooks(TableReader& out) {
  const auto& found = python_environments(out.host(), out.shared());
  for (const auto& error : found.errors) out.gap(error);
  HookReader reader(out);
  for (const auto& environment : found.environments) {
    reader.read(environment);
    reader.read_library(environment);
  }
}

}  // namespace

Probe python_hooks_probe() {
  return {
      {"python_hooks",
       "Code and folders that every Python program of an environment takes in at its start: lines of .pth files that "
       "run, folders that they add, sitecustomize and usercustomize. From the environments of python_environments.",
       kColumns, TableCost::kFast, TableLane::kProcesses},
      &read_python_hooks};
}

}  // namespace gpuharden
