// SPDX-License-Identifier: GPL-2.0-or-later
// The environment that systemd gives to a unit's processes, with the place of each variable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "checks/environment/env_file.h"
#include "checks/systemd/unit_set.h"

namespace gpuharden {

enum class UnitVariableKind : std::uint8_t { kDefault, kPass, kSet, kFile, kUnset };

struct UnitVariable {
  UnitVariableKind kind = UnitVariableKind::kSet;
  std::string name, value;
  std::string file;
  std::uint32_t line = 0;
  bool is_effective = false;  // this is the value that the processes get
};

// One EnvironmentFile= setting and what it names.
struct EnvironmentFileUse {
  std::string pattern;       // without the '-'
  bool is_optional = false;  // '-': it may be missing
  std::string file;          // that sets it
  std::uint32_t line = 0;
  std::vector<std::string> matches;  // in the order in which they are read
};

struct UnitEnvironment {
  std::vector<UnitVariable> variables;  // from weak to strong
  std::vector<EnvironmentFileUse> files;
  std::vector<UnitGap> gaps;

  // The effective value's entry, or nullptr.
  const UnitVariable* find(std::string_view name) const;
};

// Files of assignments, each read and parsed once.
class EnvFileCache {
 public:
  explicit EnvFileCache(const Files& files) : files_(files) {}
  struct Entry {
    EnvText text;
    FileStat stat;
    bool is_truncated = false;
  };
  const Result<Entry>& get(const std::string& path);

 private:
  const Files& files_;
  std::map<std::string, Result<Entry>, std::less<>> entries_;
};

// Precedence of systemd.exec(5): `defaults` (DefaultEnvironment= of the manager) < PassEnvironment=
// < Environment= < EnvironmentFile=, wherever they stand; UnsetEnvironment= goes last.
UnitEnvironment unit_environment(const Files& files, const Unit& unit, const std::vector<UnitVariable>& defaults,
                                 EnvFileCache& cache);

}  // namespace gpuharden
