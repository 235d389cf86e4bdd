// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/line_edit.h"

#include <gtest/gtest.h>

#include <random>

namespace gpuharden {
namespace {

TEST(LineHunks, NameWhatDiffers) {
  EXPECT_TRUE(line_hunks("a\nb\n", "a\nb\n").empty());
  const auto hunks = line_hunks("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
  ASSERT_EQ(hunks.size(), 2U);
  EXPECT_EQ(hunks[0].removed, std::vector<std::string>{"b\n"});
  EXPECT_EQ(hunks[0].added, std::vector<std::string>{"B\n"});
  EXPECT_EQ(hunks[1].old_start, 4U);
  EXPECT_EQ(hunks[1].added, std::vector<std::string>{"e\n"});
}

TEST(UnifiedDiff, ReadsAsDiffPrintsIt) {
  EXPECT_EQ(
      unified_diff("a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "b", "1\n2\n3\n4\nfive\n6\n7\n8\n9\nten"),
      "--- a\n+++ b\n@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n+ten\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("a", "", "b", "x\n"), "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  EXPECT_EQ(unified_diff("a", "x\n", "b", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-x\n");
  EXPECT_EQ(unified_diff("a", "x\n", "b", "x\n"), "");
}

TEST(UndoEdit, KeepsWhatOthersDidMeanwhile) {
  const std::string before = "one\nexport LD_PRELOAD=/tmp/x.so\ntwo\nthree\n";
  const std::string after = "one\ntwo\nthree\n";
  EXPECT_EQ(undo_edit(after, before, after), before);
  EXPECT_EQ(undo_edit("one\ntwo\nthree\nfour\n", before, after), before + "four\n");
  EXPECT_EQ(undo_edit("zero\none\ntwo\nTHREE\n", before, after),
            "zero\none\nexport LD_PRELOAD=/tmp/x.so\ntwo\nTHREE\n");
}

TEST(UndoEdit, RefusesWhatItCannotPlace) {
  EXPECT_FALSE(undo_edit("quite another text\n", "a\nb\nc\n", "a\nc\n"));
  // The changed line stands twice, with the same surroundings.
  EXPECT_FALSE(undo_edit("a\nB\nc\na\nB\nc\n", "a\nb\nc\n", "a\nB\nc\n"));
  EXPECT_FALSE(undo_edit("", "a\n", ""));
}

TEST(UndoEdit, IsDoneWhereSomeoneTookItBack) {
  EXPECT_EQ(undo_edit("a\nb\nc\nd\n", "a\nb\nc\n", "a\nB\nc\n"), "a\nb\nc\nd\n");
}

// Whatever the edit was, undoing it right away gives the text before.
TEST(UndoEdit, TakesBackRandomEdits) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string before;
    std::string after;
    for (int line = 0; line < 12; ++line) {
      const std::string text = "line " + std::to_string(line) + "\n";
      if (random() % 4 != 0) before += text;
      if (random() % 4 != 0) after += random() % 5 == 0 ? "changed " + std::to_string(line) + "\n" : text;
    }
    if (after.empty()) continue;
    const auto undone = undo_edit(after, before, after);
    ASSERT_TRUE(undone) << before << "---\n" << after;
    EXPECT_EQ(*undone, before);
  }
}

}  // namespace
}  // namespace gpuharden
