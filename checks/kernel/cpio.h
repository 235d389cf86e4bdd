// SPDX-License-Identifier: GPL-2.0-or-later
// cpio archives in the "newc" format, of which initial RAM disks are made, piece by piece.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gpuharden {

struct CpioEntry {
  std::string name;  // as the archive has it, without a leading "./" or "/"
  std::uint64_t size = 0;
  bool is_regular = false;
  std::string content;  // only where `wants_content` said so, and at most 64 KiB
};

// Takes an archive in pieces of any size and tells its entries in order.
class CpioReader {
 public:
  using Handler = std::function<void(const CpioEntry&)>;
  using Question = std::function<bool(const CpioEntry&)>;

  CpioReader(Question wants_content, Handler handle)
      : wants_content_(std::move(wants_content)), handle_(std::move(handle)) {}

  // How many of the bytes belong to the archive: fewer than there are once it has ended.
  std::size_t feed(std::string_view bytes);

  bool has_ended() const { return state_ == State::kEnded; }      // the trailer was seen
  bool is_malformed() const { return state_ == State::kBroken; }  // nothing is read any more

 private:
  enum class State { kHeader, kName, kContent, kEnded, kBroken };

  // Moves up to `wanted` bytes in all into buffer_; true when they are there.
  bool gather(std::string_view& bytes, std::size_t wanted);
  void read_header();
  void read_name();
  void take_content(std::string_view& bytes);
  void finish_entry();

  Question wants_content_;
  Handler handle_;
  State state_ = State::kHeader;
  std::string buffer_;
  CpioEntry entry_;
  bool is_wanted_ = false;
  std::size_t name_size_ = 0;    // with its padding
  std::uint64_t remaining_ = 0;  // content
  std::uint64_t padding_ = 0;    // after it
};

// Whether an archive starts here.
bool is_cpio(std::string_view bytes);

}  // namespace gpuharden
