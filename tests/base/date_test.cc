// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/date.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

TEST(Date, DaysAreCountedFromTheEpoch) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("2026-11-30"), 20787);
  EXPECT_EQ(parse_date("2024-02-29"), 19782);
}

TEST(Date, WhatIsNoDayIsNothing) {
  for (const auto* text :
       {"", "2026", "2026-06", "2026-13-01", "2025-02-29", "2026-6-1", "26-06-01", "2026-06-01-", "x"})
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
}

TEST(Date, AMonthMeansItsLastDay) {
  EXPECT_EQ(parse_last_day("2026-06"), parse_date("2026-06-30"));
  EXPECT_EQ(parse_last_day("2024-02"), parse_date("2024-02-29"));
  EXPECT_EQ(parse_last_day("2026-06-11"), parse_date("2026-06-11"));
  EXPECT_EQ(parse_last_day("2026-00"), std::nullopt);
}

TEST(Date, IsWrittenAsItIsRead) {
  EXPECT_EQ(format_date(20787), "2026-11-30");
  EXPECT_EQ(format_date(0), "1970-01-01");
}

TEST(Date, ADayBeginsAtMidnight) {
  EXPECT_EQ(day_of(86399), 0);
  EXPECT_EQ(day_of(86400), 1);
  EXPECT_EQ(day_of(-1), -1);
}

}  // namespace
}  // namespace gpuharden
