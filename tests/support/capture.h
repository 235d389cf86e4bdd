// SPDX-License-Identifier: GPL-2.0-or-later
// Makes captures in a folder of its own, for tests that need a host with certain things on it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/host/host.h"

namespace gpuharden::test {

// A folder below the system's temporary one, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  explicit TemporaryFolder(const std::string& parent);
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Builds root/ and host.yaml step by step:
//   Capture c; c.file("/etc/group", "render:x:109:\n").yaml("paths: {/dev/kfd: {type: char}}");
class Capture {
 public:
  Capture();
  Capture& file(std::string_view path, std::string_view bytes);
  Capture& link(std::string_view path, std::string_view target);
  Capture& folder(std::string_view path);
  // Top-level keys of host.yaml, "format" excepted; may be called once for each key.
  Capture& yaml(std::string_view text);
  // Copies a folder of the repository (tests/...) into root/.
  Capture& tree(std::string_view folder);

  // Throws std::runtime_error with every fault when it is no capture.
  std::unique_ptr<Host> open() const;
  // The same files as an image, without host.yaml.
  std::unique_ptr<Host> open_image() const;
  std::string root() const { return folder_.path() + "/root"; }
  const std::string& path() const { return folder_.path(); }
  // Writes host.yaml; open() does it too.
  void save() const;

 private:
  TemporaryFolder folder_;
  std::string yaml_;
};

// Absolute path of a file of the repository.
std::string source_path(std::string_view relative);
std::string read_source(std::string_view relative);
// The bytes of a file of this machine; "" when it cannot be read.
std::string read_file(const std::string& path);

}  // namespace gpuharden::test
