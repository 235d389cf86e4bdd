// SPDX-License-Identifier: GPL-2.0-or-later
// What the worker says: one JSON object a line, written at once, so that whoever reads knows how far it came.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::kernels {

// One line under construction.
class Line {
 public:
  explicit Line(std::string_view kind);
  Line& text(std::string_view key, std::string_view value);
  // Below 2^53.
  Line& number(std::string_view key, std::unsigned_integral auto value) { return whole(key, value); }
  Line& real(std::string_view key, double value);
  Line& flag(std::string_view key, bool value);
  // All 64 bits, as text: "0x…".
  Line& bits(std::string_view key, std::uint64_t value);
  Line& bits(std::string_view key, const std::vector<std::uint64_t>& values);
  // Writes it to `fd`; what cannot be written ends the process, since nobody listens.
  void send(int fd = 1);

 private:
  void key(std::string_view name);
  Line& whole(std::string_view key, std::uint64_t value);
  std::string out_;
};

// What comes next, so that whoever waits in vain knows for what.
void enter_stage(std::string_view name);

}  // namespace gpuharden::kernels
