// SPDX-License-Identifier: GPL-2.0-or-later
// The documents say what is: paths and links lead somewhere, keys and commands are all described.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "engine/base/text.h"
#include "engine/host/capture_yaml.h"
#include "tests/docs/markdown.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using testing::Contains;

std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }

// "engine/base/text.h", not "checks/<area>" and not "tests/cases/*.yaml".
bool is_plain_path(const std::string& word) {
  static const std::regex pattern(R"((engine|checks|rules|policies|tests|cmake|docs|dev\.d|\.ci)/[A-Za-z0-9_./-]+)");
  return std::regex_match(word, pattern);
}

TEST(Documents, LinksLeadSomewhere) {
  for (const auto& document : documents()) {
    for (const auto& link : links(document.text)) {
      if (link.find("://") != std::string::npos || link[0] == '#') continue;
      const std::string target = folder_of(document.path) + "/" + link.substr(0, link.find('#'));
      EXPECT_TRUE(fs::exists(source_path(target))) << document.path << " links to " << link;
    }
  }
}

TEST(Documents, PathsThatTheyNameAreThere) {
  for (const auto& document : documents()) {
    for (const auto& word : code_words(document.text)) {
      // The example of CONTRIBUTING.md names files that only the reader will write.
      const bool is_example = word.find("release-supported") != std::string::npos;
      if (!is_plain_path(word) || is_example) continue;
      EXPECT_TRUE(fs::exists(source_path(word))) << document.path << " names " << word;
    }
  }
}

TEST(Documents, CommandsOfDevExist) {
  const std::string script = read_source("dev");
  for (const auto& document : documents()) {
    static const std::regex pattern(R"(\./dev ([a-z]+))");
    for (auto it = std::sregex_iterator(document.text.begin(), document.text.end(), pattern);
         it != std::sregex_iterator(); ++it) {
      const std::string command = (*it)[1];
      EXPECT_NE(script.find(concat({"\n  ", command, " "})), std::string::npos)
          << document.path << " names ./dev " << command;
    }
  }
}

TEST(Documents, TestsThatTheyNameExist) {
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(source_path("tests"))) {
    const std::string path = fs::relative(entry.path(), source_path(""));
    if (path.ends_with("_test.cc")) sources += read_source(path);
  }
  static const std::regex pattern(R"(([A-Z]\w+)\.([A-Z]\w+))");
  for (const auto& document : documents()) {
    for (const auto& word : code_words(document.text)) {
      std::smatch name;
      if (!std::regex_match(word, name, pattern)) continue;
      EXPECT_NE(sources.find(concat({"(", name.str(1), ", ", name.str(2), ")"})), std::string::npos)
          << document.path << " names " << word;
    }
  }
}

TEST(CaptureDocument, DescribesEveryKey) {
  const auto words = code_words(read_source("docs/capture.md"));
  const std::string source = read_source("engine/host/capture_yaml.cc") + read_source("engine/host/capture_sockets.cc");
  static const std::regex pattern(R"re(\{"([a-z0-9-]+)",\s*\[&\])re");
  std::size_t keys = 0;
  for (auto it = std::sregex_iterator(source.begin(), source.end(), pattern); it != std::sregex_iterator();
       ++it, ++keys) {
    EXPECT_THAT(words, Contains((*it)[1].str()));
  }
  EXPECT_GT(keys, 20U);
}

TEST(CaptureDocument, ShowsAnExampleThatIsRead) {
  const auto host = parse_captured_host(code_block(read_source("docs/capture.md"), "host.yaml"), "host.yaml");
  ASSERT_TRUE(host) << host.error().message;
  EXPECT_EQ(host->paths.at("/dev/nvidia0").device_major, 195U);
  EXPECT_EQ(host->tcp->size(), 2U);
  EXPECT_EQ(host->groups.at("render").members.size(), 2U);
}

TEST(Markdown, TakesBlocksAndWordsApart) {
  const std::string text = "a `b` [c](d)\n```yaml x/y.yaml\nk: `v` [e](f)\n```\n`g`\n";
  EXPECT_THAT(links(text), testing::ElementsAre("d"));
  EXPECT_THAT(code_words(text), testing::ElementsAre("b", "g"));
  EXPECT_EQ(code_block(text, "x/y.yaml"), "k: `v` [e](f)\n");
}

}  // namespace
}  // namespace gpuharden::test
