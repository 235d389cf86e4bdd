// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/posix_acl.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using std::string_literals::operator""s;

// user::rw-, user:1000:rw-, group::rw-, mask::r--, other::---
constexpr std::string_view kUndefined = "\xff\xff\xff\xff";

TEST(ParsePosixAcl, AppliesTheMaskToNamedEntries) {
  const std::string undefined(kUndefined);
  const std::string bytes = "\x02\0\0\0"s + "\x01\0\x06\0"s + undefined + "\x02\0\x06\0\xe8\x03\0\0"s +
                            "\x04\0\x06\0"s + undefined + "\x10\0\x04\0"s + undefined + "\x20\0\0\0"s + undefined;
  const auto entries = parse_posix_acl(bytes);
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(entries->front().id, 1000U);
  EXPECT_EQ(entries->front().permissions, 4U);
}

TEST(ParsePosixAcl, RefusesWhatIsNoList) {
  EXPECT_FALSE(parse_posix_acl(""));
  EXPECT_FALSE(parse_posix_acl("\x03\0\0\0"s));
  EXPECT_FALSE(parse_posix_acl("\x02\0\0\0\x01"s));
}

}  // namespace
}  // namespace gpuharden
