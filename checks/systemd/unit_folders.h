// SPDX-License-Identifier: GPL-2.0-or-later
// The folders in which systemd's system manager looks for units, listed once.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

enum class UnitFolderKind { kAdministrator, kRuntime, kTransient, kGenerator, kVendor };

struct UnitFolder {
  std::string path;
  std::string real_path;  // differs where /lib is a link
  UnitFolderKind kind = UnitFolderKind::kVendor;
};

// One entry that names a unit: a fragment, a link or a mask.
struct UnitEntry {
  std::size_t folder = 0;  // of UnitFolders::folders; a lower one wins
  std::string path;
  FileType type = FileType::kUnknown;
};

// A link below foo.target.wants and its kin.
struct UnitPull {
  std::string path;
  std::string unit;  // the name of the link: only that counts
  std::string by;    // "foo.target"
};

struct UnitFolders {
  std::vector<UnitFolder> folders;                                             // the strongest first
  std::map<std::string, std::vector<UnitEntry>, std::less<>> entries;          // by unit name
  std::map<std::string, std::vector<UnitEntry>, std::less<>> drop_in_folders;  // by unit, prefix or type name
  std::vector<UnitPull> pulls;
  std::vector<Error> errors;  // folders that could not be listed

  // Whether `folder` (a real path) is one of the search path.
  bool is_searched(std::string_view folder) const;
};

UnitFolders list_unit_folders(const Files& files);

}  // namespace gpuharden
