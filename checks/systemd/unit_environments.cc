// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_environments.h"

#include <algorithm>
#include <array>

#include "checks/environment/merged_files.h"
#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 4> kFolders = {"/etc/systemd", "/run/systemd", "/usr/local/lib/systemd",
                                                      "/usr/lib/systemd"};

// "system.conf" from the first folder that has it, then the drop-ins of all.
std::vector<std::string> manager_files(const Files& files, std::string_view name, std::vector<UnitGap>& gaps) {
  std::vector<std::string> paths;
  std::vector<std::string> drop_in_folders;
  for (const auto folder : kFolders) {
    const std::string path = concat({folder, "/", name});
    if (paths.empty() && files.lstat(path)) paths.push_back(path);
    drop_in_folders.push_back(path + ".d");
  }
  std::vector<Error> errors;
  for (auto& path : merged_files(files, drop_in_folders, ".conf", errors)) paths.push_back(std::move(path));
  for (auto& error : errors) gaps.push_back({"*", "*", std::move(error)});
  return paths;
}

std::vector<UnitVariable> manager_variables(const Files& files, std::string_view name, std::string_view setting,
                                            std::vector<UnitGap>& gaps) {
  std::vector<std::shared_ptr<const UnitSource>> sources;
  for (const auto& path : manager_files(files, name, gaps)) {
    auto file = files.read(path);
    if (!file)
      gaps.push_back({"*", path, file.error()});
    else
      sources.push_back(
          std::make_shared<const UnitSource>(UnitSource{path, file->stat, parse_unit_text(std::move(file->bytes))}));
  }
  std::vector<UnitVariable> variables;
  for (const auto& one : merge_settings(name, sources)) {
    if (one.name != setting || one.section != "Manager") continue;
    for (const auto& word : split_unit_words(one.value)) {
      const auto equals = word.find('=');
      if (equals == std::string::npos || !is_variable_name(word.substr(0, equals))) continue;
      variables.push_back({UnitVariableKind::kDefault, word.substr(0, equals), word.substr(equals + 1),
                           one.source->path, one.line, true});
    }
  }
  return variables;
}

bool sets_environment(const Unit& unit) {
  static constexpr std::array<std::string_view, 4> kNames = {"Environment", "EnvironmentFile", "PassEnvironment",
                                                             "UnsetEnvironment"};
  return std::any_of(unit.settings.begin(), unit.settings.end(), [](const UnitSetting& setting) {
    return std::find(kNames.begin(), kNames.end(), setting.name) != kNames.end();
  });
}

UnitEnvironments compute(const Host& host, const UnitSet& units) {
  UnitEnvironments out;
  const Files& files = host.files();
  out.system_defaults = manager_variables(files, "system.conf", "DefaultEnvironment", out.gaps);
  out.manager = manager_variables(files, "system.conf", "ManagerEnvironment", out.gaps);
  std::vector<UnitGap> ignored;  // the same files again
  out.user_defaults = manager_variables(files, "user.conf", "DefaultEnvironment", out.gaps);
  for (auto& variable : manager_variables(files, "user.conf", "ManagerEnvironment", ignored)) {
    out.user_defaults.push_back(std::move(variable));
  }
  EnvFileCache cache(files);
  for (const auto& unit : units.units) {
    if (sets_environment(unit))
      out.by_unit.emplace(unit.name, unit_environment(files, unit, out.system_defaults, cache));
  }
  return out;
}

}  // namespace

UnitEnvironment UnitEnvironments::of(std::string_view unit) const {
  const auto found = by_unit.find(unit);
  if (found != by_unit.end()) return found->second;
  UnitEnvironment defaults;
  defaults.variables = system_defaults;
  return defaults;
}

const UnitSet& unit_set(const Host& host, SharedFacts& shared) { return shared.get<UnitSet>(host, load_units); }

const UnitEnvironments& unit_environments(const Host& host, SharedFacts& shared) {
  const UnitSet& units = unit_set(host, shared);
  return shared.get<UnitEnvironments>(host, [&](const Host& h) { return compute(h, units); });
}

}  // namespace gpuharden
