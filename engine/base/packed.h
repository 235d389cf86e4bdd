// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers and texts one after the other in bytes, for what this program itself reads again on the same
// machine: the pipe between its processes, its compiled rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuharden {

class PackedWriter {
 public:
  void number(std::uint64_t value);
  // At most 4 GiB.
  void text(std::string_view bytes);
  void byte(char value) { bytes_ += value; }

  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// Takes them apart again. After a read past the end every further one gives nothing and ok() is false.
// Texts are views into what the reader was made from.
class PackedReader {
 public:
  explicit PackedReader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number();
  std::string_view text();
  char byte();

  void fail() { ok_ = false; }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t bytes_left() const { return rest_.size(); }

 private:
  std::string_view take(std::size_t size);
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace gpuharden
