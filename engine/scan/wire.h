// SPDX-License-Identifier: GPL-2.0-or-later
// What the parent and its reader say to each other. The parent treats every byte as hostile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/packed.h"
#include "engine/base/result.h"
#include "engine/model/table.h"
#include "engine/scan/table_source.h"

namespace gpuharden {

enum class FrameType : std::uint8_t {
  kHello = 'H',
  kBegin = 'B',
  kRow = 'R',
  kGap = 'G',
  kFailure = 'F',
  kEnd = 'E',
  kRequest = 'Q'
};

constexpr std::size_t kMaxFrameBytes = std::size_t{64} << 20U;

// Builds the payload of one frame.
class FrameWriter {
 public:
  explicit FrameWriter(FrameType type) { begin(type); }
  // Another frame in the same place.
  void begin(FrameType type);
  FrameWriter& number(std::uint64_t value);
  FrameWriter& text(std::string_view bytes);
  FrameWriter& value(const Value& value);
  // With its length in front; good until the next begin().
  std::string_view finish();
  // The same; the writer is empty afterwards.
  std::string take();

 private:
  PackedWriter packed_;
};

// Takes a payload apart.
class FrameReader : public PackedReader {
 public:
  using PackedReader::PackedReader;
  Value value();
};

// The complete frames of a byte stream.
class FrameBuffer {
 public:
  void append(std::string_view bytes) { bytes_.append(bytes); }
  // The next payload with its type as first byte; empty when it is not complete yet. An error when
  // the stream announces a frame that is too large or empty.
  Result<std::string_view> next();
  // Drops what next() has given out; views into it end here.
  void compact();

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

std::string write_request(std::uint64_t id, const TableRequest& request);
// Refuses tables and columns that do not exist.
Result<TableRequest> read_request(FrameReader& frame, std::uint64_t& id);

}  // namespace gpuharden
