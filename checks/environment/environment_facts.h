// SPDX-License-Identifier: GPL-2.0-or-later
// Every place that sets environment variables, read once for the tables of this folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/probe.h"

namespace gpuharden {

// An assignment, or its removal, somewhere.
struct EnvironmentAssignment {
  std::string file;
  std::uint32_t line = 0;
  std::string scope;   // see env_assignments_probe.cc
  std::string family;  // who reads the file: sh, zsh, fish, csh, pam, …; a later file overrides within one family
  std::string syntax;
  std::string operation = "set";  // set, unset, pass
  std::optional<std::string> user;
  std::optional<std::string> unit;
  std::string name;
  std::string value;  // never a credential's
  std::string raw;
  bool is_credential = false;
  bool is_conditional = false;
  bool is_guarded = false;
  bool is_exported = true;
  bool is_effective = true;
  bool refers_to_itself = false;
  std::optional<bool> has_empty_element;     // of path lists: with the variable not set before
  std::optional<bool> always_empty_element;  // also when it is set
  std::optional<std::uint32_t> owner;        // uid of the account that this is about: trusted there
};

// umask, source, eval, history: what else start-up files set.
struct ShellSetting {
  std::string file;
  std::uint32_t line = 0;
  std::string scope, family;
  std::optional<std::string> user;
  std::string name, value;
  std::optional<std::uint32_t> umask;
  bool is_conditional = false;
  bool is_effective = true;
};

// A start-up file that exists.
struct StartupFile {
  std::string path;
  std::string scope, syntax;
  std::optional<std::string> user;
  std::optional<std::uint32_t> owner;
  FileType link_type = FileType::kUnknown;  // of the path itself
  std::optional<FileStat> stat;             // of what it leads to; none for a link that leads nowhere
  std::optional<std::string> link_target;
  bool is_foreign = false;  // leads to a file that is not the user's to read, which was not read
};

struct EnvironmentGap {
  std::string file;  // "*" when it is not about one file
  Error error;
};

struct EnvironmentFacts {
  std::vector<EnvironmentAssignment> assignments;
  std::vector<ShellSetting> settings;
  std::vector<StartupFile> startup_files;
  std::map<std::string, FileStat, std::less<>> files;  // what was read
  std::vector<EnvironmentGap> gaps;
};

// Computed once a reader; reads the units too.
const EnvironmentFacts& environment_facts(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
