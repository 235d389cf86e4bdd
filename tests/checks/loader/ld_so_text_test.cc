// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/loader/ld_so_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/loader/icd_text.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;

std::vector<std::string> preloads(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& entry : parse_ld_preload(text)) out.push_back(std::to_string(entry.line) + " " + entry.library);
  return out;
}

std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& line : parse_ld_so_conf(text))
    out.push_back((line.kind == LdSoLine::Kind::kInclude ? "include " : "") + line.text);
  return out;
}

TEST(LdPreload, SplitsAtBlanksAndColonsAndDropsComments) {
  EXPECT_THAT(preloads("/a.so:/b.so # /c.so\n\n\tlibd.so  /e.so"),
              ElementsAre("1 /a.so", "1 /b.so", "3 libd.so", "3 /e.so"));
  EXPECT_THAT(preloads("# /a.so\n::\n"), ElementsAre());
}

TEST(LdSoConf, ReadsFoldersAndIncludes) {
  EXPECT_THAT(
      lines("/usr/local/lib/ # mine\n include a/*.conf  /b.conf\nhwcap 0 x\n/old=libc5\n/ with blank\ninclude\n"),
      ElementsAre("/usr/local/lib", "include a/*.conf", "include /b.conf", "/old", "/ with blank", "include"));
}

TEST(IcdText, TakesTheFirstLineOrTheField) {
  EXPECT_EQ(parse_opencl_icd(" libx.so \nmore"), "libx.so");
  EXPECT_EQ(parse_opencl_icd("\n"), "");
  EXPECT_THAT(*parse_icd_json(R"({"ICD":{"library_path":"a"},"layers":[{"library_path":"b"},{"x":1},2]})"),
              ElementsAre("a", "b"));
  EXPECT_FALSE(parse_icd_json("[]"));
}

TEST(LdSoConfProbe, FollowsIncludesAndStopsInCircles) {
  Capture capture;
  capture.file("/etc/ld.so.conf", "include sub/*.conf\n/z\n").file("/etc/sub/a.conf", "/a\ninclude ../ld.so.conf\n");
  const auto table = read_table(*capture.open(), "ld_so_conf");
  EXPECT_EQ(table.where("path", "/a").at("position"), "1");
  EXPECT_THAT(table.gap_words(), testing::Contains("* * too-large"));
}

TEST(LdPreloadProbe, IsAGapForAFifo) {
  Capture capture;
  capture.yaml("paths: {/etc/ld.so.preload: {type: fifo}}");
  EXPECT_THAT(read_table(*capture.open(), "ld_preload").gap_words(), ElementsAre("* * not-regular"));
}

}  // namespace
}  // namespace gpuharden::test
