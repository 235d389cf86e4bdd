// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/capture.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gpuharden::test {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() : TemporaryFolder(fs::temp_directory_path().string()) {}

TemporaryFolder::TemporaryFolder(const std::string& parent) {
  std::string pattern = (fs::path(parent) / "gpuharden-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Capture::Capture() { fs::create_directories(root()); }

Capture& Capture::file(std::string_view path, std::string_view bytes) {
  const fs::path place = root() + std::string(path);
  fs::create_directories(place.parent_path());
  std::ofstream(place, std::ios::binary) << bytes;
  return *this;
}

Capture& Capture::link(std::string_view path, std::string_view target) {
  const fs::path place = root() + std::string(path);
  fs::create_directories(place.parent_path());
  fs::create_symlink(fs::path(target), place);
  return *this;
}

Capture& Capture::folder(std::string_view path) {
  fs::create_directories(root() + std::string(path));
  return *this;
}

Capture& Capture::yaml(std::string_view text) {
  yaml_ += text;
  yaml_ += '\n';
  return *this;
}

Capture& Capture::tree(std::string_view folder) {
  fs::copy(source_path(folder), root(), fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  return *this;
}

void Capture::save() const {
  std::ofstream(folder_.path() + "/host.yaml", std::ios::binary) << "format: gpuharden.capture/1\n" << yaml_;
}

std::unique_ptr<Host> Capture::open() const {
  save();
  auto host = open_capture_host(folder_.path());
  if (!host) throw std::runtime_error(host.error().message);
  return std::move(host).value();
}

std::unique_ptr<Host> Capture::open_image() const {
  auto host = open_image_host(root());
  if (!host) throw std::runtime_error(host.error().message);
  return std::move(host).value();
}

std::string source_path(std::string_view relative) { return GPUHARDEN_SOURCE_DIR "/" + std::string(relative); }

std::string read_source(std::string_view relative) {
  std::ifstream stream(source_path(relative), std::ios::binary);
  if (!stream) throw std::runtime_error("no such file: " + std::string(relative));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace gpuharden::test
