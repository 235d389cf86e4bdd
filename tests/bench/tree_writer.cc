// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/tree_writer.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden::test {
namespace fs = std::filesystem;

TreeWriter::TreeWriter(std::string folder) : folder_(std::move(folder)) {
  if (fs::exists(folder_ + "/host.yaml")) throw std::runtime_error(folder_ + " holds a capture already");
  fs::create_directories(folder_ + "/root");
}

std::string TreeWriter::place(std::string_view path) {
  std::string full = folder_ + "/root" + std::string(path);
  std::string parent = full.substr(0, full.rfind('/'));
  if (parent != last_parent_) {
    fs::create_directories(parent);
    last_parent_ = std::move(parent);
  }
  ++files_;
  return full;
}

void TreeWriter::file(std::string_view path, std::string_view bytes) {
  std::ofstream stream(place(path), std::ios::binary);
  stream << bytes;
  if (!stream.flush()) throw std::runtime_error(concat({"writing ", path, " failed"}));
}

void TreeWriter::link(std::string_view path, std::string_view target) {
  fs::create_symlink(fs::path(target), place(path));
}

void TreeWriter::folder(std::string_view path) { fs::create_directories(folder_ + "/root" + std::string(path)); }

void TreeWriter::finish(std::string_view kernel_release) const {
  std::ofstream stream(folder_ + "/host.yaml", std::ios::binary);
  stream << "format: gpuharden.capture/1\n"
         << "kernel: {release: " << kernel_release << ", nodename: gpu-07, version: \"#61 SMP\", machine: x86_64}\n"
         << "now: 1788220800\n"
         << "paths:\n";
  for (const auto& [path, facts] : facts_) stream << "  \"" << path << "\": {" << facts << "}\n";
  stream << "owners: |\n";
  for (const auto& [path, words] : owners_) stream << "  " << words << " " << path << "\n";
  stream << "tcp: |\n";
  for (const auto& socket : sockets_) {
    stream << "  " << socket.address << " " << socket.port << " uid=" << socket.uid << " inode=" << socket.inode
           << "\n";
  }
  stream << "udp: []\nlinks: []\nnft: |\n";
  for (const auto& line : filter_) stream << "  " << line << "\n";
  if (!stream.flush()) throw std::runtime_error("writing host.yaml failed");
}

std::string numbered(std::string_view name, std::size_t number) { return concat({name, std::to_string(number)}); }

std::string identity(std::string_view text) { return digest_of({text}); }

}  // namespace gpuharden::test
