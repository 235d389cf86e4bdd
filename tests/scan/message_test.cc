// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/message.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

Evidence text(std::string name, std::string value) { return {std::move(name), ValueKind::kText, 0, std::move(value)}; }

TEST(FillMessage, PutsValuesIn) {
  const std::vector<Evidence> cells = {
      text("who", "mallory"), {"pid", ValueKind::kInteger, 7, ""}, {"none", {}, 0, ""}};
  EXPECT_EQ(fill_message("{who} runs {pid} as {none}", cells), "mallory runs 7 as unknown");
  EXPECT_EQ(fill_message("{what} and {who", cells), "{what} and {who");
}

TEST(FillMessage, ReadsAListOut) {
  const std::vector<Evidence> cells = {text("words", R"(["exec","a b",3])"), text("one", "[\"x\"]"),
                                       text("plain", "[x")};
  EXPECT_EQ(fill_message("with {words[]}", cells), "with exec, a b, 3");
  EXPECT_EQ(fill_message("{one[]} {one}", cells), "x [\"x\"]");
  EXPECT_EQ(fill_message("{plain[]} {other[]}", cells), "[x {other[]}");
}

TEST(Placeholders, AreNamesOfColumns) { EXPECT_EQ(placeholders("{a} {b[]} {c"), (std::vector<std::string>{"a", "b"})); }

}  // namespace
}  // namespace gpuharden
