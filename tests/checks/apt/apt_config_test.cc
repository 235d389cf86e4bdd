// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/apt/apt_conf.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

// The settings of one text, "name=value " each.
std::string settings_of(std::string_view text) {
  AptSettings settings;
  for (const auto& statement : parse_apt_conf(text).statements) settings.apply(statement, "f");
  std::string out;
  for (const auto& [name, setting] : settings.all()) out += name + "=" + setting.value + " ";
  return out;
}

TEST(AptConf, ReadsNamesAndScopes) {
  EXPECT_EQ(settings_of("A::B \"x\"; A::C y;\nA { D \"1\"; E { F \"2\"; }; };"), "a::b=x a::c=y a::d=1 a::e::f=2 ");
  EXPECT_EQ(settings_of("A \"v\" { B 1 } A::C 2;"), "a=v a::b=1 a::c=2 ");
  EXPECT_EQ(settings_of("A::B\n\"x\";"), "a::b=x ");
}

TEST(AptConf, ReadsLists) { EXPECT_EQ(settings_of("L { \"a\"; \"b\"; }; L:: \"c\";"), "l::#1=a l::#2=b l::#3=c "); }

TEST(AptConf, PassesOverComments) {
  EXPECT_EQ(settings_of("A x; # A y;\n// A z;\nB /* c; */ \"a // not\"; /* d\n */ C a/**/b;"), "a=x b=a // not c=ab ");
}

TEST(AptConf, LastOneWinsWhateverTheCase) { EXPECT_EQ(settings_of("A::B true; a::B false;"), "a::b=false "); }

TEST(AptConf, ClearsWithAllBelow) { EXPECT_EQ(settings_of("A::B 1; A::C::D 2; Ax 3;\n#clear A;\n"), "ax=3 "); }

TEST(AptConf, SaysWhereAptStops) {
  EXPECT_EQ(parse_apt_conf("A 1;\nB x y;\nC 2;").fault, "line 2: there is more behind a value");
  EXPECT_EQ(parse_apt_conf("A \"x\"").fault, "line 1: its last statement has no ';'");
  EXPECT_EQ(parse_apt_conf("A \"x\ny\";").fault, "line 1: a quote is not closed");
  EXPECT_EQ(parse_apt_conf("{ A 1; };").fault, "line 1: a block has no name");
  EXPECT_EQ(parse_apt_conf("A { B 1;").fault, "");
}

TEST(AptConfigProbe, ReadsOnlyActiveFiles) {
  Capture capture;
  capture.tree("tests/data/apt/c05")
      .file("/etc/apt/apt.conf.d/50x.conf", "A::B \"1\";")
      .file("/etc/apt/apt.conf.d/.hidden", "A::C 1;");
  const auto table = read_table(*capture.open(), "apt_config");
  const auto& row = table.where("name", "acquire::allowinsecurerepositories");
  EXPECT_EQ(row.at("file") + ":" + row.at("line"), "/etc/apt/apt.conf.d/99gpu:3");
  EXPECT_EQ(row.at("boolean"), "1");
  EXPECT_FALSE(table.has("name", "apt::get::allowunauthenticated"));
  EXPECT_TRUE(table.has("name", "a::b"));
  EXPECT_FALSE(table.has("name", "a::c"));
}

TEST(AptConfigProbe, TakesTheMainFileLast) {
  Capture capture;
  capture.file("/etc/apt/apt.conf", "A::B \"main\";\n")
      .file("/etc/apt/apt.conf.d/99z", "A::B \"part\";\n#include \"/extra\";\n")
      .file("/extra", "A::C 1;");
  const auto table = read_table(*capture.open(), "apt_config");
  EXPECT_EQ(table.where("name", "a::b").at("value"), "main");
  EXPECT_EQ(table.where("name", "a::c").at("file"), "/extra");
}

TEST(AptConfigProbe, IsAGapWhereAptStops) {
  Capture capture;
  capture.file("/etc/apt/apt.conf.d/1", "A::B \"x\";\nC")
      .file("/etc/apt/apt.conf.d/2", "")
      .yaml("paths: {/etc/apt/apt.conf.d/2: {error: permission}}");
  const auto table = read_table(*capture.open(), "apt_config");
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.gap_words(), testing::ElementsAre("* * malformed", "* * permission"));
}

TEST(AptConfigProbe, DoesNotFollowCirclesOfIncludes) {
  Capture capture;
  capture.file("/etc/apt/apt.conf", "#include \"/etc/apt/apt.conf\";\nA 1;\n");
  const auto table = read_table(*capture.open(), "apt_config");
  EXPECT_THAT(table.gap_words(), testing::ElementsAre("* * too-large"));
}

}  // namespace
}  // namespace gpuharden::test
