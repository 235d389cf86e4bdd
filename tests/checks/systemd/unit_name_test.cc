// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/system/json_list.h"
#include "checks/systemd/unit_words.h"

namespace gpuharden::test {
namespace {

TEST(UnitName, SplitsPrefixInstanceAndType) {
  const auto name = parse_unit_name("getty@tty1.service");
  ASSERT_TRUE(name);
  EXPECT_EQ(name->prefix, "getty");
  EXPECT_EQ(name->instance, "tty1");
  EXPECT_EQ(template_of(*name), "getty@.service");
}

TEST(UnitName, RefusesWhatIsNoUnit) {
  for (const auto* text : {"x.conf", ".service", "service", "a b.service", "@.service", ""}) {
    EXPECT_FALSE(parse_unit_name(text)) << text;
  }
  EXPECT_FALSE(parse_unit_name(std::string(300, 'a') + ".service"));
}

TEST(UnitName, DropInsMayBelongToTemplateAndPrefixes) {
  EXPECT_THAT(
      drop_in_names("foo-bar-baz@x.service"),
      testing::ElementsAre("foo-bar-baz@x.service", "foo-bar-baz@.service", "foo-bar-.service", "foo-.service"));
  EXPECT_THAT(drop_in_names("ollama.service"), testing::ElementsAre("ollama.service"));
  EXPECT_THAT(drop_in_names("foo-.service"), testing::ElementsAre("foo-.service"));
}

TEST(UnitName, ExpandsConstantSpecifiersOnly) {
  EXPECT_EQ(expand_specifiers("%n %N %p %i %I %% %H %", "a-b@c-d.service"),
            "a-b@c-d.service a-b@c-d a-b c-d c/d % %H %");
  EXPECT_EQ(expand_specifiers("%S/x %h", "a.service"), "/var/lib/x /root");
}

TEST(UnitWords, KnowsQuotesAndEscapes) {
  EXPECT_THAT(split_unit_words(R"(A=1 "B=two words" 'C="x"' D=a\x41\101\u00e9 E=\"q\")"),
              testing::ElementsAre("A=1", "B=two words", "C=\"x\"", "D=aAA\xC3\xA9", "E=\"q\""));
  EXPECT_THAT(split_unit_words("a \"unclosed b"), testing::ElementsAre("a", "unclosed b"));
  EXPECT_THAT(split_unit_words("\\q \\"), testing::ElementsAre("\\q", "\\"));
  EXPECT_THAT(split_unit_words("  \"\" "), testing::ElementsAre(""));
}

TEST(UnitWords, TakesPrefixCharactersOffACommand) {
  const auto command = parse_unit_command("-@/bin/sh mysh -c 'a b'");
  EXPECT_EQ(command.flags, "-@");
  EXPECT_THAT(command.words, testing::ElementsAre("/bin/sh", "-c", "a b"));
}

TEST(UnitWords, JsonReplacesWhatIsNoUtf8) { EXPECT_EQ(json_list({"a\"b", "\xFF"}), "[\"a\\\"b\",\"\xEF\xBF\xBD\"]"); }

}  // namespace
}  // namespace gpuharden::test
