// SPDX-License-Identifier: GPL-2.0-or-later
// Finding and reading the files of each unit.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "checks/systemd/unit_folders.h"
#include "checks/systemd/unit_set.h"

namespace gpuharden {

// Fills a UnitSet with everything but states (unit_state.h).
class UnitLoader {
 public:
  UnitLoader(const Files& files, const UnitFolders& folders, UnitSet& out)
      : files_(files), folders_(folders), out_(out) {}
  void load();

 private:
  // What an entry of the search path turns out to be.
  enum class EntryKind { kFile, kAlias, kMasked, kLinked, kMissing };
  struct Resolved {
    EntryKind kind = EntryKind::kFile;
    std::string name;  // of the unit that an alias means
    std::string path;  // of the file to read
  };

  Result<Resolved> resolve(std::string_view unit, const UnitEntry& entry);
  std::optional<Resolved> resolve_searched(std::string_view unit, const std::string& target);
  std::set<std::string> instance_names() const;
  Unit load_names(const std::string& name, const std::vector<UnitEntry>& entries);
  void load_instance(const std::string& name);
  void gather_aliases();
  void read_files(Unit& unit);
  void read_fragment(Unit& unit);
  std::map<std::string, std::string> drop_ins_of(Unit& unit);
  void add_drop_in_folders(std::string_view name, std::vector<const UnitEntry*>& found) const;
  const std::vector<DirectoryEntry>& list_cached(const std::string& folder);
  void read_source(Unit& unit, const std::string& path);
  void add_gap(Unit& unit, const std::string& file, const Error& error);
  std::string real_folder(const std::string& folder);

  const Files& files_;
  const UnitFolders& folders_;
  UnitSet& out_;
  std::unordered_map<std::string, Result<std::shared_ptr<const UnitSource>>> sources_;
  std::unordered_map<std::string, std::vector<DirectoryEntry>> listed_;
  std::unordered_map<std::string, std::string> real_folders_;
};

// `text` as a link at `path` means it, with "." and ".." taken away by name.
std::string link_target(std::string_view path, std::string_view text);

}  // namespace gpuharden
