// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/packed.h"

#include <cstring>

namespace gpuharden {

void PackedWriter::number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }

void PackedWriter::text(std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes_ += bytes;
}

std::string_view PackedReader::take(std::size_t size) {
  if (!ok_ || size > rest_.size()) {
    ok_ = false;
    return {};
  }
  const auto part = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return part;
}

std::uint64_t PackedReader::number() {
  std::uint64_t value = 0;
  const auto bytes = take(sizeof value);
  if (ok_) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string_view PackedReader::text() {
  std::uint32_t size = 0;
  const auto bytes = take(sizeof size);
  if (ok_) std::memcpy(&size, bytes.data(), sizeof size);
  return take(size);
}

char PackedReader::byte() {
  const auto bytes = take(1);
  return ok_ ? bytes[0] : '\0';
}

}  // namespace gpuharden
