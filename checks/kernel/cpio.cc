// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/cpio.h"

#include <algorithm>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHeaderSize = 110;
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kLongestContent = 65536;
constexpr std::string_view kTrailer = "TRAILER!!!";
constexpr std::uint64_t kTypeMask = 0170000;
constexpr std::uint64_t kRegular = 0100000;

std::uint64_t padding_of(std::uint64_t size) { return (4 - size % 4) % 4; }

// The hexadecimal field of that number, from 0.
std::optional<std::uint64_t> field(std::string_view header, std::size_t number) {
  return parse_unsigned(header.substr(6 + number * 8, 8), 16);
}

}  // namespace

bool is_cpio(std::string_view bytes) { return bytes.starts_with("070701") || bytes.starts_with("070702"); }

std::size_t CpioReader::feed(std::string_view bytes) {
  const std::size_t all = bytes.size();
  while (!bytes.empty() && state_ != State::kEnded && state_ != State::kBroken) {
    if (state_ == State::kHeader && gather(bytes, kHeaderSize)) {
      read_header();
    } else if (state_ == State::kName && gather(bytes, name_size_)) {
      read_name();
    } else if (state_ == State::kContent) {
      take_content(bytes);
    }
  }
  return all - bytes.size();
}

bool CpioReader::gather(std::string_view& bytes, std::size_t wanted) {
  const auto count = std::min(wanted - buffer_.size(), bytes.size());
  buffer_ += bytes.substr(0, count);
  bytes.remove_prefix(count);
  return buffer_.size() == wanted;
}

void CpioReader::read_header() {
  const auto mode = field(buffer_, 1);
  const auto size = field(buffer_, 6);
  const auto name = field(buffer_, 11);
  const bool is_good = is_cpio(buffer_) && mode && size && name && *name > 0 && *name <= kLongestName;
  buffer_.clear();
  if (!is_good) {
    state_ = State::kBroken;
    return;
  }
  entry_ = {};
  entry_.size = *size;
  entry_.is_regular = (*mode & kTypeMask) == kRegular;
  name_size_ = *name + padding_of(kHeaderSize + *name);
  remaining_ = *size;
  padding_ = padding_of(*size);
  state_ = State::kName;
}

void CpioReader::read_name() {
  std::string_view name = buffer_;
  name = name.substr(0, name.find('\0'));
  if (name == kTrailer) {
    buffer_.clear();
    state_ = State::kEnded;
    return;
  }
  if (name.starts_with("./")) name.remove_prefix(2);
  if (name.starts_with('/')) name.remove_prefix(1);
  entry_.name = name;
  buffer_.clear();
  is_wanted_ = entry_.is_regular && wants_content_(entry_);
  state_ = State::kContent;
  if (remaining_ + padding_ == 0) finish_entry();
}

void CpioReader::take_content(std::string_view& bytes) {
  const auto count = std::min<std::uint64_t>(remaining_, bytes.size());
  if (is_wanted_ && entry_.content.size() < kLongestContent) {
    const auto room = kLongestContent - entry_.content.size();
    entry_.content += bytes.substr(0, std::min<std::size_t>(count, room));
  }
  bytes.remove_prefix(count);
  remaining_ -= count;
  if (remaining_ > 0) return;
  const auto skipped = std::min<std::uint64_t>(padding_, bytes.size());
  bytes.remove_prefix(skipped);
  padding_ -= skipped;
  if (padding_ == 0) finish_entry();
}

void CpioReader::finish_entry() {
  handle_(entry_);
  state_ = State::kHeader;
}

}  // namespace gpuharden
