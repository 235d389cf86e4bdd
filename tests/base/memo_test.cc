// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/memo.h"

#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

TEST(Memo, ComputesOnce) {
  Memo<int> memo;
  int computed = 0;
  const auto length = [&](std::string_view text) {
    return memo.get(text, [&] { return ++computed, static_cast<int>(text.size()); });
  };
  EXPECT_EQ(length("four"), 4);
  EXPECT_EQ(length("four"), 4);
  EXPECT_EQ(length(""), 0);
  EXPECT_EQ(computed, 2);
}

// The depth of a path by that of its folder, as exposures are computed.
int depth_of(Memo<int>& memo, std::string_view path) {
  return memo.get(path, [&] {
    const auto slash = path.rfind('/');
    return slash == std::string_view::npos || slash == 0 ? 1 : depth_of(memo, path.substr(0, slash)) + 1;
  });
}
TEST(Memo, MayBeAskedWhileItComputes) {
  Memo<int> memo;
  EXPECT_EQ(depth_of(memo, "/a/b/c/d"), 4);
  EXPECT_EQ(depth_of(memo, "/a/b/x"), 3);
}

TEST(Memo, ForgetsWhenThereIsMuchAndAnswersAllTheSame) {
  Memo<std::size_t> memo;
  std::size_t computed = 0;
  const std::size_t count = Memo<std::size_t>::kMaxHeld * 2 + 5;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto answer = memo.get(std::to_string(i), [&] { return ++computed, i * 3; });
      ASSERT_EQ(answer, i * 3);
    }
  }
  EXPECT_GT(computed, count) << "nothing was forgotten";
}

TEST(TextPool, HoldsEqualTextsOnceAndSurvivesAMove) {
  TextPool pool;
  const auto first = pool.keep("short");
  const auto second = pool.keep(std::string("a text that is longer than any that a string holds inside"));
  EXPECT_EQ(pool.keep("short").data(), first.data());
  for (int i = 0; i < 10'000; ++i) pool.keep(std::to_string(i));
  const TextPool moved = std::move(pool);
  EXPECT_EQ(first, "short");
  EXPECT_EQ(second, "a text that is longer than any that a string holds inside");
  EXPECT_EQ(pool.keep("").size(), 0U);  // NOLINT: a pool that was moved from can be used again
}

}  // namespace
}  // namespace gpuharden::test
