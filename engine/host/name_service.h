// SPDX-License-Identifier: GPL-2.0-or-later
// Groups as the machine's name service knows them, asked by a child: a directory server that does
// not answer must not hang the audit, and name-service modules stay out of the reader.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "engine/base/handle.h"
#include "engine/base/result.h"
#include "engine/host/host.h"

namespace gpuharden {

// Whether nsswitch.conf sends look-ups in this database ("group") to anything but local files.
bool asks_a_directory(std::string_view nsswitch, std::string_view database);

class NameService {
 public:
  NameService() = default;
  NameService(const NameService&) = delete;
  NameService& operator=(const NameService&) = delete;

  // Forks the child; to be called while the process still has its rights.
  Status start();
  // getgrnam_r, never an enumeration. kTimeout after five seconds, and at once from then on;
  // kUnsupported when it was not started.
  Result<DirectoryGroup> group(std::string_view name);

 private:
  UniqueFd socket_;
  bool is_stuck_ = false;
};

}  // namespace gpuharden
