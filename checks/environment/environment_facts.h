// SPDX-License-Identifier: GPL-2.0-or-later
// Every place that sets environment variables, read once for the tables of this folder.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/memo.h"
#include "engine/scan/probe.h"

namespace gpuharden {

// Ten thousand homes make fifty thousand of these: what many share is a view, of a constant or into the pool of
// EnvironmentFacts.

// An assignment, or its removal, somewhere.
struct EnvironmentAssignment {
  std::string_view file;
  std::string_view scope;   // see env_assignments_probe.cc
  std::string_view family;  // who reads the file: sh, zsh, fish, csh, pam, …; a later file overrides within one family
  std::string_view syntax;
  std::string_view operation = "set";  // set, unset, pass
  std::optional<std::string_view> user;
  std::optional<std::string_view> unit;
  std::string_view name;
  std::string_view value;  // never a credential's
  std::string_view raw;
  std::uint32_t line = 0;
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
  std::string_view file;
  std::uint32_t line = 0;
  std::string_view scope, family;
  std::optional<std::string_view> user;
  std::string_view name;
  std::string value;
  std::optional<std::uint32_t> umask;
  bool is_conditional = false;
  bool is_effective = true;
};

// A start-up file that exists.
struct StartupFile {
  std::string_view path;
  std::string_view scope, syntax;
  std::optional<std::string_view> user;
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
  // Deques do not move what they hold: a vector would, for a moment, take thrice the room.
  std::deque<EnvironmentAssignment> assignments;
  std::deque<ShellSetting> settings;
  std::deque<StartupFile> startup_files;
  std::unordered_map<std::string_view, FileStat> files;  // what was read
  std::vector<EnvironmentGap> gaps;
  std::shared_ptr<TextPool> texts = std::make_shared<TextPool>();  // what the views above point into
};

// Computed once a reader; reads the units too.
const EnvironmentFacts& environment_facts(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
