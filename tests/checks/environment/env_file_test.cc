// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/env_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/environment/variable.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> lines(const EnvText& text) {
  std::vector<std::string> out;
  for (const auto& line : text.lines) out.push_back(std::to_string(line.line) + ":" + line.name + "=" + line.value);
  return out;
}

// C74: the rules are systemd's, not the shell's.
TEST(SystemdEnvFile, ReadsAsSystemdDoes) {
  const auto text = parse_systemd_env_file(
      "ulimit -n 2048\nexport OLLAMA_HOST=0.0.0.0\nOLLAMA_HOST=0.0.0.0 # lan\nA='x'y\n;comment=1\n# "
      "B=2\nC=a\\\nb\nD=\"q\\\"\\n\" \nE= 'z z' \nF=");
  EXPECT_THAT(lines(text),
              ElementsAre("3:OLLAMA_HOST=0.0.0.0 # lan", "4:A=xy", "7:C=ab", "9:D=q\"\\n", "10:E=z z", "11:F="));
  EXPECT_THAT(text.bad_lines, ElementsAre(1U, 2U));
}

TEST(SystemdEnvFile, AnUnclosedQuoteTakesTheRest) {
  EXPECT_THAT(lines(parse_systemd_env_file("A=\"x\nB=y\n")), ElementsAre("1:A=x\nB=y\n"));
}

TEST(PamEnvironment, HasCommentsAnywhereAndOnePairOfQuotes) {
  const auto text = parse_pam_environment("# c\nPATH=\"/usr/bin:/bin\"\nexport A='b'\nC=d # e\nbad line\n=x\n");
  EXPECT_THAT(lines(text), ElementsAre("2:PATH=/usr/bin:/bin", "3:A=b", "4:C=d"));
  EXPECT_THAT(text.bad_lines, ElementsAre(5U, 6U));
}

TEST(PamEnvConf, GivesDefaultAndOverride) {
  const auto text = parse_pam_env_conf(
      "LD_PRELOAD DEFAULT= OVERRIDE=/tmp/x.so\nA DEFAULT=\"a b\"\nB=c\n#D DEFAULT=e\nnonsense\nE "
      "DEFAULT=${HOME}\\$x\n");
  EXPECT_THAT(lines(text), ElementsAre("1:LD_PRELOAD=", "1:LD_PRELOAD=/tmp/x.so", "2:A=a b", "3:B=c", "6:E=${HOME}$x"));
  EXPECT_THAT(text.bad_lines, ElementsAre(5U));
}

TEST(Crontab, HasVariablesBetweenJobs) {
  EXPECT_THAT(lines(parse_crontab_variables("SHELL=/bin/sh\nPATH = \"/a:/b\"\n# X=1\n* * * * * root A=b cmd\n")),
              ElementsAre("1:SHELL=/bin/sh", "2:PATH=/a:/b"));
}

TEST(EnvironmentD, ExpandsWhatWasSetBefore) {
  const std::vector<EnvLine> known = {{"A", "x", 1}, {"EMPTY", "", 2}};
  EXPECT_EQ(expand_environment_d("$A/${A}/${B}/${A:+y}/${EMPTY:-z}/$", known), "x/x/${B}/y/z/$");
}

// C70
TEST(Variable, FindsTheCurrentFolderInPathLists) {
  for (const auto* value : {"/a:", ":/a", "/a::/b", ".", "/a:./b", "/a:lib"})
    EXPECT_TRUE(has_current_folder_element("LD_LIBRARY_PATH", value)) << value;
  for (const auto* value : {"", "/a:/b", "$ORIGIN/lib:/a", "/a"})
    EXPECT_FALSE(has_current_folder_element("LD_LIBRARY_PATH", value)) << value;
  EXPECT_FALSE(has_current_folder_element("LD_PRELOAD", "/usr/lib/libjemalloc.so.2:"));
  EXPECT_FALSE(has_current_folder_element("LD_PRELOAD", "libjemalloc.so.2 /a.so"));
  EXPECT_TRUE(has_current_folder_element("LD_PRELOAD", "./x.so"));
}

TEST(Variable, FindsAbsolutePaths) {
  EXPECT_THAT(absolute_paths("/a/b:c:/d --x=/e http://host/f $X/g /"), ElementsAre("/a/b", "/d", "/e"));
}

TEST(Variable, ReadsUmasks) {
  EXPECT_EQ(parse_umask("027"), 027U);
  EXPECT_EQ(parse_umask("u=rwx,g=rx,o="), 027U);
  EXPECT_EQ(parse_umask("o-w"), 022U);
  EXPECT_EQ(parse_umask("$X"), std::nullopt);
  EXPECT_EQ(parse_umask("1777"), std::nullopt);
}

}  // namespace
}  // namespace gpuharden::test
