// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/environments.h"

#include <algorithm>
#include <array>

#include "checks/environment/homes.h"
#include "checks/python/unit_places.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxEnvironments = 500;
constexpr std::size_t kMaxChildren = 256;  // of /opt, /srv and the environments of conda

constexpr std::array<std::string_view, 2> kVirtual = {"venv", ".venv"};
constexpr std::array<std::string_view, 4> kConda = {"miniconda3", "miniforge3", "anaconda3", "mambaforge"};

// Where a prefix was found, and whose it is.
struct Origin {
  std::string_view source;
  std::optional<std::uint32_t> home_uid = std::nullopt;
};

bool is_absent(const Error& error) {
  return error.code == ErrorCode::kNotFound || error.code == ErrorCode::kNotRegular;
}

// "/x/lib/python3.12/site-packages" of a file below it; "" for other paths.
std::string_view site_packages_of(std::string_view path) {
  for (const std::string_view name : {"/site-packages/", "/dist-packages/"}) {
    const auto at = path.find(name);
    if (at != std::string_view::npos) return path.substr(0, at + name.size() - 1);
  }
  return {};
}

// "/x" of "/x/lib/python3.12/site-packages".
std::string prefix_of_site(std::string_view site) {
  const auto lib = site.find("/lib");
  return lib == std::string_view::npos || lib == 0 ? "/" : std::string(site.substr(0, lib));
}

class EnvironmentFinder {
 public:
  EnvironmentFinder(const Host& host, const Homes& homes, const MappedFiles& mapped, const ProcessFacts& facts)
      : host_(host),
        homes_(homes),
        mapped_(mapped),
        facts_(facts),
        root_(std::make_shared<ProcessRoot>(host.files())) {}

  PythonEnvironments find() {
    find_in_system();
    find_in_folder("/opt");
    find_in_folder("/srv");
    find_in_homes();
    find_in_units();
    find_in_processes();
    for (auto& [key, environment] : found_) list(environment);
    return std::move(out_);
  }

 private:
  using Root = std::shared_ptr<const ProcessRoot>;

  void note(const Error& error) {
    if (!is_absent(error)) out_.errors.push_back(error);
  }

  void find_in_system() {
    const Origin origin{"system"};
    add_site(root_, "/usr/lib/python3/dist-packages", "/usr", origin);
    add_libraries(root_, "/usr", "/usr/lib", origin);
    add_libraries(root_, "/usr", "/usr/lib64", origin);
    add_libraries(root_, "/usr/local", "/usr/local/lib", origin);
  }

  // Environments that lie directly in a folder, or as venv in a folder of it.
  void find_in_folder(std::string_view folder) {
    const auto entries = host_.files().list(folder);
    if (!entries) return note(entries.error());
    std::size_t count = 0;
    for (const auto& entry : *entries) {
      if (entry.type == FileType::kRegular) continue;
      if (++count > kMaxChildren) {
        out_.errors.push_back({ErrorCode::kTooLarge, concat({folder, ": too many entries, not all were looked at"})});
        return;
      }
      const std::string prefix = concat({folder, "/", entry.name});
      add_prefix(root_, prefix, {"opt"});
      for (const auto name : kVirtual) add_prefix(root_, concat({prefix, "/", name}), {"opt"});
      add_conda(prefix, {"opt"});
    }
  }

  void find_in_homes() {
    for (const auto& error : homes_.errors) note(error);
    for (const auto& home : homes_.homes) {
      const Origin origin{"home", home.uid};
      if (may_hold(home, ".local")) add_prefix(root_, home.path + "/.local", origin);
      for (const auto name : kVirtual) {
        if (may_hold(home, name)) add_prefix(root_, concat({home.path, "/", name}), origin);
      }
      for (const auto name : kConda) {
        if (!may_hold(home, name)) continue;
        const std::string prefix = concat({home.path, "/", name});
        if (add_prefix(root_, prefix, origin)) add_conda(prefix, origin);
      }
    }
  }

  void find_in_units() {
    const UnitPlaces places = find_unit_places(host_.files());
    for (const auto& error : places.errors) note(error);
    for (const auto& prefix : places.prefixes) add_prefix(root_, prefix, {"unit"});
    for (const auto& folder : places.folders) {
      for (const auto name : kVirtual) add_prefix(root_, concat({folder, "/", name}), {"unit"});
    }
  }

  void find_in_processes() {
    // An image runs nothing: that is no gap of what lies in it.
    if (host_.kind() == HostKind::kImage) return;
    for (const auto& error : mapped_.errors) out_.errors.push_back(error);
    for (const auto& process : mapped_.processes) {
      if (process.files_error) note_process(process, *process.files_error);
      if (!process.root)
        note_process(process, *process.root_error);
      else
        find_in_process(process);
    }
  }

  void note_process(const GpuProcess& process, const Error& error) {
    out_.errors.push_back({error.code, concat({"process ", std::to_string(process.id), ": ", error.message})});
  }

  void find_in_process(const GpuProcess& process) {
    std::string_view last;
    for (const auto& file : process.files) {
      const auto site = site_packages_of(file.path);
      if (site.empty() || site == last) continue;
      last = site;
      use(process, add_site(process.root, std::string(site), prefix_of_site(site), {"process"}));
    }
    if (const auto& arguments = facts_.arguments(process.id); arguments && !arguments->empty())
      find_by_program(process, arguments->front());
    if (const auto& executable = facts_.executable(process.id)) find_by_program(process, without_deleted(*executable));
  }

  void find_by_program(const GpuProcess& process, std::string_view program) {
    if (!program.substr(program.rfind('/') + 1).starts_with("python")) return;
    const std::string prefix = prefix_of_program(program);
    if (!prefix.empty()) add_libraries(process.root, prefix, prefix + "/lib", {"process"}, &process);
  }

  static void use(const GpuProcess& process, PythonEnvironment* environment) {
    if (environment != nullptr && process.uid) environment->used_by.insert(*process.uid);
  }

  void add_conda(const std::string& prefix, const Origin& origin) {
    const auto entries = host_.files().list(prefix + "/envs");
    if (!entries) return note(entries.error());
    std::size_t count = 0;
    for (const auto& entry : *entries) {
      if (++count > kMaxChildren) return note({ErrorCode::kTooLarge, concat({prefix, "/envs: too many entries"})});
      add_prefix(root_, concat({prefix, "/envs/", entry.name}), origin);
    }
  }

  bool add_prefix(const Root& root, const std::string& prefix, const Origin& origin) {
    return add_libraries(root, prefix, prefix + "/lib", origin);
  }

  // Whether the folder has libraries of a Python.
  bool add_libraries(const Root& root, const std::string& prefix, const std::string& folder, const Origin& origin,
                     const GpuProcess* user = nullptr) {
    const auto entries = root->files().list(folder);
    if (!entries) {
      note(entries.error());
      return false;
    }
    bool has_any = false;
    for (const auto& entry : *entries) {
      if (!entry.name.starts_with("python3")) continue;
      for (const auto* name : {"/site-packages", "/dist-packages"}) {
        auto* environment = add_site(root, concat({folder, "/", entry.name, name}), prefix, origin);
        has_any = has_any || environment != nullptr;
        if (user != nullptr) use(*user, environment);
      }
    }
    return has_any;
  }

  // nullptr when it is not there.
  PythonEnvironment* add_site(const Root& root, const std::string& site, const std::string& prefix,
                              const Origin& origin) {
    const auto stat = root->files().stat(site);
    if (!stat || stat->type != FileType::kDirectory) {
      if (!stat) note(stat.error());
      return nullptr;
    }
    const auto real = root->files().real_path(site);
    if (!real) {
      note(real.error());
      return nullptr;
    }
    const auto key = std::pair(root->name().value_or(""), *real);
    const auto known = found_.find(key);
    if (known != found_.end()) return &out_.environments[known->second];
    if (out_.environments.size() == kMaxEnvironments) {
      out_.errors.push_back({ErrorCode::kTooLarge, "too many Python environments, not all were read"});
      return nullptr;
    }
    found_.emplace(key, out_.environments.size());
    out_.environments.push_back({*real, prefix, std::string(origin.source), origin.home_uid, root, {}, {}, {}});
    return &out_.environments.back();
  }

  void list(std::size_t at) {
    auto& environment = out_.environments[at];
    auto entries = environment.files().list(environment.site_packages);
    if (entries)
      environment.entries = *std::move(entries);
    else
      environment.entries_error = entries.error();
  }

  const Host& host_;
  const Homes& homes_;
  const MappedFiles& mapped_;
  const ProcessFacts& facts_;
  Root root_;
  std::map<std::pair<std::string, std::string>, std::size_t> found_;  // by root and real path
  PythonEnvironments out_;
};

}  // namespace

bool PythonEnvironment::has(std::string_view entry) const {
  const auto found = std::lower_bound(entries.begin(), entries.end(), entry,
                                      [](const DirectoryEntry& one, std::string_view name) { return one.name < name; });
  return found != entries.end() && found->name == entry;
}

const PythonEnvironments& python_environments(const Host& host, SharedFacts& shared) {
  const auto& homes = homes_of(host, shared);
  const auto& mapped = mapped_files(host, shared);
  const auto& facts = shared.get<ProcessFacts>(host, &read_process_facts);
  return shared.get<PythonEnvironments>(
      host, [&](const Host& same) { return EnvironmentFinder(same, homes, mapped, facts).find(); });
}

}  // namespace gpuharden
