// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/ssh/sshd_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "line option word|word" of each line.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (const auto& line : parse_sshd_conf(text)) {
    out.push_back(
        concat({std::to_string(line.line), line.is_bad ? " bad " : " ", line.option, " ", join(line.words, "|")}));
  }
  return out;
}

TEST(ParseSshdConf, TakesNameAndWords) {
  EXPECT_THAT(lines_of("# c\n\n  PermitRootLogin no\nAllowUsers a  b\t\"c d\"\n"),
              ElementsAre("3 permitrootlogin no", "4 allowusers a|b|c d"));
}

TEST(ParseSshdConf, TakesOneEqualsSign) {
  EXPECT_THAT(lines_of("Port=22\nPermitRootLogin = no\nPermitRootLogin == no\n"),
              ElementsAre("1 port 22", "2 permitrootlogin no", "3 permitrootlogin =|no"));
}

TEST(ParseSshdConf, EndsAtAComment) {
  EXPECT_THAT(lines_of("Port 22 # not 23\nBanner /etc/a#b\nBanner \"# x\"\n"),
              ElementsAre("1 port 22", "2 banner /etc/a#b", "3 banner # x"));
}

TEST(ParseSshdConf, KnowsOldNames) {
  EXPECT_THAT(lines_of("ChallengeResponseAuthentication yes\nKeepAlive no\n"),
              ElementsAre("1 kbdinteractiveauthentication yes", "2 tcpkeepalive no"));
}

TEST(ParseSshdConf, SurvivesHostileBytes) {
  EXPECT_THAT(lines_of(std::string_view("\0Port 1\nPort 2\r\n\xFF\xFE x\nBanner \"a\n", 31)),
              ElementsAre("2 port 2", "3 \xFF\xFE x", "4 bad banner "));
  EXPECT_THAT(lines_of(""), IsEmpty());
}

}  // namespace
}  // namespace gpuharden
