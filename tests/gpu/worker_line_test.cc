// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/worker_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;

TEST(WorkerLine, HoldsEveryType) {
  const auto line = WorkerLine::parse(
      R"({"kind":"product","n":256,"seed":"0xffffffffffffffff","device_us":1.5,"ok":true,"samples":["0x1","0xa"]})");
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->kind(), "product");
  EXPECT_EQ(line->number("n"), 256U);
  EXPECT_EQ(line->bits("seed"), ~std::uint64_t{0});
  EXPECT_EQ(line->real("device_us"), 1.5);
  EXPECT_EQ(line->real("n"), 256.0);
  EXPECT_TRUE(line->flag("ok"));
  EXPECT_THAT(line->all_bits("samples"), ElementsAre(1, 10));
}

TEST(WorkerLine, AnswersWithNothingForAnotherType) {
  const auto line = WorkerLine::parse(R"({"kind":"a","n":"5","t":5,"x":"0xzz","r":-1.5})");
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->number("n"), std::nullopt);
  EXPECT_EQ(line->text("t"), "");
  EXPECT_EQ(line->bits("x"), std::nullopt);
  EXPECT_EQ(line->bits("missing"), std::nullopt);
  EXPECT_EQ(line->real("r"), std::nullopt);
  EXPECT_FALSE(line->flag("t"));
  EXPECT_THAT(line->all_bits("n"), IsEmpty());
}

TEST(WorkerLine, RefusesWhatIsNoFlatObject) {
  for (const auto* text :
       {"", "[]", "5", "{", R"({"kind":""})", R"({"n":1})", R"({"kind":"a","o":{}})", R"({"kind":"a","o":null})",
        R"({"kind":"a","n":-1})", R"({"kind":"a","l":[1]})", R"({"kind":"a","l":[["0x1"]]})"}) {
    const auto line = WorkerLine::parse(text);
    EXPECT_FALSE(line.has_value()) << text;
  }
}

TEST(WorkerLine, RefusesWhatIsTooLarge) {
  EXPECT_FALSE(WorkerLine::parse(R"({"kind":")" + std::string(70'000, 'a') + "\"}").has_value());
  std::string many = R"({"kind":"a")";
  for (int i = 0; i < 100; ++i) many += ",\"k" + std::to_string(i) + "\":1";
  EXPECT_FALSE(WorkerLine::parse(many + "}").has_value());
}

}  // namespace
}  // namespace gpuharden::test
