// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/wire.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

TEST(Wire, ARequestSurvivesTheWay) {
  FrameBuffer buffer;
  buffer.append(write_request(7, {find_probe("os_release"), {{"file", "/x"}}, {"id", "version"}}));
  const auto payload = buffer.next();
  ASSERT_TRUE(payload);
  ASSERT_EQ((*payload)[0], 'Q');
  FrameReader frame(payload->substr(1));
  std::uint64_t id = 0;
  const auto request = read_request(frame, id);
  ASSERT_TRUE(request);
  EXPECT_EQ(id, 7U);
  EXPECT_EQ(request->probe->schema.name, "os_release");
  EXPECT_EQ(request->arguments.at(0).value, "/x");
  EXPECT_EQ(request->columns.size(), 2U);
}

TEST(Wire, WaitsForTheWholeFrame) {
  const std::string bytes =
      FrameWriter(FrameType::kRow).value(Value::of(std::int64_t{-5})).value({ValueKind::kUnread, 0, {}}).take();
  FrameBuffer buffer;
  for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
    buffer.append(std::string_view(bytes).substr(i, 1));
    EXPECT_TRUE(buffer.next()->empty());
  }
  buffer.append(std::string_view(bytes).substr(bytes.size() - 1));
  FrameReader frame(buffer.next()->substr(1));
  EXPECT_EQ(frame.value().integer, -5);
  EXPECT_EQ(frame.value().kind, ValueKind::kUnread);
  EXPECT_TRUE(frame.at_end() && frame.ok());
}

TEST(Wire, RefusesImpossibleSizes) {
  for (const auto& bytes : {std::string("\0\0\0\0", 4), std::string("\xff\xff\xff\xff", 4)}) {
    FrameBuffer buffer;
    buffer.append(bytes);
    EXPECT_FALSE(buffer.next());
  }
}

TEST(Wire, AShortPayloadReadsAsNothing) {
  FrameReader frame(std::string_view("\x05\0\0\0ab", 6));
  EXPECT_EQ(frame.text(), "");
  EXPECT_FALSE(frame.ok());
  EXPECT_EQ(frame.number(), 0U);
}

}  // namespace
}  // namespace gpuharden
