// SPDX-License-Identifier: GPL-2.0-or-later
// Every system call by which the program changes a file system.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/handle.h"
#include "engine/base/result.h"

namespace gpuharden {

// Seconds and nanoseconds since the epoch.
struct FileTime {
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  bool operator==(const FileTime&) const = default;
};

// One function a call, each atomic as the kernel's own. Virtual, so that tests can end the process before
// and after each, let each fail, and record them. `folder` is a descriptor of an open folder, `name` one
// name in it; `what` is for the message of the error.
class WriteCalls {
 public:
  virtual ~WriteCalls() = default;

  // A new file, mode 0600, open for writing; never one that was there, never through a link.
  virtual Result<UniqueFd> create(int folder, const std::string& name);
  // An existing plain file, open for writing at its end.
  virtual Result<UniqueFd> open_to_append(int folder, const std::string& name);
  virtual Status write(int file, std::string_view bytes, std::string_view what);
  virtual Status truncate(int file, std::uint64_t size, std::string_view what);
  virtual Status sync(int file, std::string_view what);  // of a file or a folder
  virtual Status rename(int folder, const std::string& from, const std::string& to);
  virtual Status unlink(int folder, const std::string& name);
  virtual Status make_folder(int folder, const std::string& name);  // mode 0700
  virtual Status remove_folder(int folder, const std::string& name);
  virtual Status make_link(int folder, const std::string& name, const std::string& target);
  // Of what is open, which may be an O_PATH descriptor.
  virtual Status set_mode(int file, std::uint32_t mode, std::string_view what);
  virtual Status set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what);
  virtual Status set_xattr(int file, const std::string& name, std::string_view value, std::string_view what);
  virtual Status remove_xattr(int file, const std::string& name, std::string_view what);
  virtual Status set_modified(int file, FileTime time, std::string_view what);
};

// The real calls, without anything between.
WriteCalls& system_write_calls();

}  // namespace gpuharden
