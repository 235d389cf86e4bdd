// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_environment.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxEnvironmentFiles = 1000;  // that one pattern may match

bool is_exec_section(std::string_view section) {
  return section == "Service" || section == "Socket" || section == "Mount" || section == "Swap";
}

class EnvironmentReader {
 public:
  EnvironmentReader(const Files& files, const Unit& unit, EnvFileCache& cache)
      : files_(files), unit_(unit), cache_(cache) {}

  UnitEnvironment read(const std::vector<UnitVariable>& defaults) {
    out_.variables = defaults;
    for (auto& variable : out_.variables) variable.is_effective = false;
    each("PassEnvironment", [&](const UnitSetting& setting) { add_names(setting, UnitVariableKind::kPass); });
    each("Environment", [&](const UnitSetting& setting) { add_assignments(setting); });
    each("EnvironmentFile", [&](const UnitSetting& setting) { add_file(setting); });
    each("UnsetEnvironment", [&](const UnitSetting& setting) { add_names(setting, UnitVariableKind::kUnset); });
    mark_effective();
    return std::move(out_);
  }

 private:
  template <typename Take>
  void each(std::string_view name, Take take) {
    for (const auto& setting : unit_.settings) {
      if (setting.name == name && is_exec_section(setting.section)) take(setting);
    }
  }

  // Names; UnsetEnvironment= also takes NAME=value, which removes only that value.
  void add_names(const UnitSetting& setting, UnitVariableKind kind) {
    for (const auto& word : split_unit_words(setting.value)) {
      const auto equals = word.find('=');
      const auto name = word.substr(0, equals);
      if (!is_variable_name(name)) continue;
      out_.variables.push_back({kind, name, equals == std::string::npos ? "" : word.substr(equals + 1),
                                setting.source->path, setting.line, false});
      if (kind == UnitVariableKind::kUnset) unset_.insert(equals == std::string::npos ? name : word);
    }
  }

  void add_assignments(const UnitSetting& setting) {
    for (const auto& word : split_unit_words(setting.value)) {
      const auto equals = word.find('=');
      if (equals == std::string::npos || !is_variable_name(word.substr(0, equals))) continue;
      out_.variables.push_back({UnitVariableKind::kSet, word.substr(0, equals), word.substr(equals + 1),
                                setting.source->path, setting.line, false});
    }
  }

  void add_file(const UnitSetting& setting) {
    EnvironmentFileUse use;
    use.pattern = setting.value;
    use.is_optional = use.pattern.starts_with('-');
    if (use.is_optional) use.pattern.erase(0, 1);
    use.file = setting.source->path;
    use.line = setting.line;
    // systemd refuses what is not absolute.
    if (!use.pattern.starts_with('/')) return;
    std::vector<Error> errors;
    use.matches = expand_glob(files_, use.pattern, errors, kMaxEnvironmentFiles);
    for (const auto& error : errors) out_.gaps.push_back({unit_.name, use.pattern, error});
    for (const auto& path : use.matches) add_lines(path, use);
    out_.files.push_back(std::move(use));
  }

  void add_lines(const std::string& path, const EnvironmentFileUse& use) {
    const auto& entry = cache_.get(path);
    // A dangling link is a missing file, which may be allowed.
    if (!entry && entry.error().code == ErrorCode::kNotFound && use.is_optional) return;
    if (!entry) return out_.gaps.push_back({unit_.name, path, entry.error()});
    if (entry->is_truncated) {
      out_.gaps.push_back({unit_.name, path, {ErrorCode::kTooLarge, path + ": too large, its end was not read"}});
    }
    for (const auto& line : entry->text.lines) {
      out_.variables.push_back({UnitVariableKind::kFile, line.name, line.value, path, line.line, false});
    }
  }

  // What PassEnvironment= passes is not known: it is effective where nothing else sets the name.
  void mark_effective() {
    std::unordered_map<std::string, std::size_t> winners;
    for (std::size_t i = 0; i < out_.variables.size(); ++i) {
      const auto& variable = out_.variables[i];
      if (variable.kind == UnitVariableKind::kUnset) continue;
      winners[variable.name] = i;
    }
    for (const auto& [name, at] : winners) {
      auto& variable = out_.variables[at];
      const bool is_removed = unset_.contains(name) || unset_.contains(concat({name, "=", variable.value}));
      variable.is_effective = !is_removed;
    }
  }

  const Files& files_;
  const Unit& unit_;
  EnvFileCache& cache_;
  std::unordered_set<std::string> unset_;
  UnitEnvironment out_;
};

}  // namespace

const UnitVariable* UnitEnvironment::find(std::string_view name) const {
  const auto found = std::find_if(variables.begin(), variables.end(), [&](const UnitVariable& variable) {
    return variable.is_effective && variable.name == name;
  });
  return found == variables.end() ? nullptr : &*found;
}

const Result<EnvFileCache::Entry>& EnvFileCache::get(const std::string& path) {
  const auto known = entries_.find(path);
  if (known != entries_.end()) return known->second;
  auto file = files_.read(path);
  Result<Entry> entry = Entry();
  if (file)
    entry = Entry{parse_systemd_env_file(file->bytes), file->stat, file->truncated};
  else
    entry = file.error();
  return entries_.emplace(path, std::move(entry)).first->second;
}

UnitEnvironment unit_environment(const Files& files, const Unit& unit, const std::vector<UnitVariable>& defaults,
                                 EnvFileCache& cache) {
  return EnvironmentReader(files, unit, cache).read(defaults);
}

}  // namespace gpuharden
