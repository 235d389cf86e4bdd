// SPDX-License-Identifier: GPL-2.0-or-later
// Reads one file of assignments after the other into EnvironmentFacts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checks/environment/env_file.h"
#include "checks/environment/environment_facts.h"
#include "checks/environment/shell_assignments.h"
#include "checks/systemd/unit_environment.h"

namespace gpuharden {

enum class EnvironmentSyntax : std::uint8_t {
  kShell,
  kZsh,
  kFish,
  kCsh,
  kPam,
  kPamConf,
  kSystemdFile,
  kEnvironmentD,
  kCron,
  kSsh,
  kUserUnit,
  kOther
};
std::string_view to_string(EnvironmentSyntax syntax);

// One file to be read.
struct EnvironmentSource {
  std::string path;
  std::string_view scope;  // a constant
  EnvironmentSyntax syntax = EnvironmentSyntax::kShell;
  std::optional<std::string> user;  // whose file; none for the system's
  std::optional<std::uint32_t> owner;
  bool is_startup_file = true;  // also a row of startup_files
  std::string home;             // value of HOME; "" where it is not known
};

class EnvironmentCollector {
 public:
  EnvironmentCollector(const Files& files, EnvironmentFacts& out) : files_(files), out_(out) {}

  // Nothing happens where there is no such file.
  void read(const EnvironmentSource& source);
  // The variables of a unit or manager, already parsed; the scope is a constant.
  void add_unit_variables(const std::vector<UnitVariable>& variables, std::string_view scope,
                          const std::optional<std::string>& unit, std::optional<std::uint32_t> owner);
  void add_gap(std::string_view file, Error error) { out_.gaps.push_back({std::string(file), std::move(error)}); }
  // Decides which assignments and settings count in the end: the last unconditional one of its
  // scope, user and family, and what conditions may put in its place.
  void mark_effective();

 private:
  std::optional<FileBytes> read_file(const EnvironmentSource& source, StartupFile& startup);
  void parse(const EnvironmentSource& source, std::string_view text);
  void add_shell_text(const EnvironmentSource& source, const ShellText& text, std::string_view family);
  void add_shell_item(const EnvironmentSource& source, const ShellItem& item, std::string_view family);
  void add_env_text(const EnvironmentSource& source, const EnvText& text, std::string_view family);
  void add_user_unit(const EnvironmentSource& source, std::string_view text);
  EnvironmentAssignment begin(const EnvironmentSource& source, std::uint32_t line, std::string_view name,
                              std::string_view family) const;
  // Puts the value and what follows from it into `out`; a credential's is not kept.
  void set_value(EnvironmentAssignment& out, std::string_view value, std::string_view raw,
                 std::string_view value_when_unset) const;
  std::string_view keep(std::string_view text) const { return out_.texts->keep(text); }
  std::optional<std::string_view> keep_if_any(const std::optional<std::string>& text) const {
    return text ? std::optional(keep(*text)) : std::nullopt;
  }

  const Files& files_;
  EnvironmentFacts& out_;
  ShellVariables login_variables_;  // known after /etc/profile and the files that it sources
};

}  // namespace gpuharden
