// SPDX-License-Identifier: GPL-2.0-or-later
// Writes the files of a capture, and host.yaml at the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::test {

// What host.yaml says of one path, in its own words: "type: char, mode: \"0666\", major: 195".
struct PathFacts {
  std::string path;
  std::string facts;
};

struct ListeningSocket {
  std::string address;
  unsigned port = 0;
  unsigned uid = 0;
  std::uint64_t inode = 0;
};

// Throws std::runtime_error when the disk says no.
class TreeWriter {
 public:
  // `folder` gets root/ and host.yaml; it must not hold a capture yet.
  explicit TreeWriter(std::string folder);

  void file(std::string_view path, std::string_view bytes);
  void link(std::string_view path, std::string_view target);
  void folder(std::string_view path);
  void facts(std::string_view path, std::string_view words) {
    facts_.push_back({std::string(path), std::string(words)});
  }
  // "1004:1004 0750": the owner, and the mode where it is not the usual one.
  void owner(std::string_view path, std::string_view words) {
    owners_.push_back({std::string(path), std::string(words)});
  }
  void socket(const ListeningSocket& socket) { sockets_.push_back(socket); }
  // A line of the packet filter, as docs/capture.md writes it.
  void filter(std::string_view line) { filter_.emplace_back(line); }
  // Writes host.yaml.
  void finish(std::string_view kernel_release) const;

  std::size_t files() const { return files_; }

 private:
  std::string place(std::string_view path);

  std::string folder_;
  std::string last_parent_;  // known to exist
  std::vector<PathFacts> facts_, owners_;
  std::vector<ListeningSocket> sockets_;
  std::vector<std::string> filter_;
  std::size_t files_ = 0;
};

// "name7": names that tell their number.
std::string numbered(std::string_view name, std::size_t number);
// 64 hexadecimal digits that depend on the text alone.
std::string identity(std::string_view text);

}  // namespace gpuharden::test
