// SPDX-License-Identifier: GPL-2.0-or-later
// What apt fetched last: the files of /var/lib/apt/lists.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

struct ReleaseFacts;

// Lists the folder once, on first use, and reads each Release file at most once.
class PackageLists {
 public:
  explicit PackageLists(const Files& files) : files_(files) {}

  // Origin and Label; empty facts when there is no such file. `list_name` is Repository::list_name.
  Result<ReleaseFacts> release(const std::string& list_name);

  // Paths of the Packages files (and compressed ones) of a repository.
  std::vector<std::string> package_lists(const std::string& list_name);

 private:
  const std::vector<std::string>& names();
  Result<ReleaseFacts> read_release(const std::string& list_name);

  const Files& files_;
  std::optional<std::vector<std::string>> names_;  // sorted
  std::optional<Error> error_;
  std::map<std::string, Result<ReleaseFacts>> releases_;
};

// The number of GPU packages in the text of a Packages file.
std::size_t count_gpu_packages(std::string_view text);

}  // namespace gpuharden
