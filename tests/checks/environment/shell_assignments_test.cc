// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_assignments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "line:name=value" with marks: e exported, c conditional, g guarded, f for one command.
std::vector<std::string> words(const ShellText& text) {
  std::vector<std::string> out;
  for (const auto& item : text.items) {
    std::string marks;
    if (item.is_exported) marks += 'e';
    if (item.is_conditional) marks += 'c';
    if (item.is_guarded) marks += 'g';
    if (item.is_for_command) marks += 'f';
    const bool unsets = item.kind == ShellItemKind::kUnset;
    out.push_back(std::to_string(item.line) + ":" + (unsets ? "-" : "") + item.name + (unsets ? "" : "=" + item.value) +
                  (marks.empty() ? "" : " " + marks));
  }
  return out;
}
std::vector<std::string> sh(std::string_view text) { return words(parse_shell(text)); }

TEST(Shell, FindsTheWaysToExport) {
  EXPECT_THAT(
      sh("A=1\nexport B=2 C='3 4'\ndeclare -x D=5\ntypeset -gx E=6\nF=7; export F\nenv G=8 cmd\nH=9 cmd\nset "
         "-a\nI=0\n"),
      ElementsAre("1:A=1", "2:B=2 e", "2:C=3 4 e", "3:D=5 e", "4:E=6 e", "5:F=7 e", "6:G=8 ef", "7:H=9 ef", "9:I=0 e"));
}

TEST(Shell, TextInCommentsQuotesAndHereDocumentsIsNoCode) {
  EXPECT_THAT(sh("# A=1\necho 'B=2\nC=3' \"D=4\n\"\ncat <<EOF >/dev/null\nE=5\nEOF\ncat <<-'X' "
                 "<<Y\n\tF=6\n\tX\nG=7\nY\nH=8 # I=9\necho $(J=1\nK=2) `L=3`\n"),
              ElementsAre("13:H=8"));
}

TEST(Shell, BlocksMakeConditions) {
  EXPECT_THAT(sh("if [ -d /x ]; then A=1; elif true\nthen B=2; else C=3; fi\nD=4\n"
                 "case $- in *i*) E=5 ;; (a|b) F=6;; esac\nG=7\n"
                 "f() { H=8; }\nfunction g { I=9\n}\nJ=1\nfor x in a b; do K=2; done\n[ -d /y ] && L=3\n{ M=4; "
                 "}\n(N=5)\nwhile read l; do O=6; done < /f\nP=7\n"),
              ElementsAre("1:A=1 c", "2:B=2 c", "2:C=3 c", "3:D=4", "4:E=5 c", "4:F=6 c", "5:G=7", "6:H=8 c", "7:I=9 c",
                          "9:J=1", "10:K=2 c", "11:L=3 c", "12:M=4", "13:N=5 c", "14:O=6 c", "15:P=7"));
}

TEST(Shell, AConditionOnTheVariableItselfIsAGuard) {
  EXPECT_THAT(
      sh("if [ -z \"$V\" ]; then V=/a; else V=/a:$V; fi\n[ -n \"$W\" ] && W=$W:/b\nif [ -d /x ]; then X=/x:$X; fi\n"),
      ElementsAre("1:V=/a cg", "1:V=/a:$V cg", "2:W=$W:/b cg", "3:X=/x:$X c"));
}

TEST(Shell, ExpandsWhatIsConstant) {
  const auto text = parse_shell(
      "A=/opt\nB=$A/lib:\"${A}/x\"'$A'\\ y\nC=$UNKNOWN/$(id "
      "-u)`id`\nD=~/bin:~/x\nE=${A:-no}${Q:+yes}\nF=${A%/*}\nG+=z\n",
      {{"HOME", "/root"}});
  EXPECT_THAT(words(text), ElementsAre("1:A=/opt", "2:B=/opt/lib:/opt/x$A y", "3:C=$UNKNOWN/$(...)$(...)",
                                       "4:D=/root/bin:/root/x", "5:E=/optyes", "6:F=$A", "7:G=$Gz"));
}

// C70: what is left when the variable was not set before.
TEST(Shell, ExpandsWithTheVariableItselfUnset) {
  const auto unset = [](std::string_view text) { return parse_shell(text).items.back().value_when_unset; };
  EXPECT_EQ(unset("export V=/a:$V"), "/a:");
  EXPECT_EQ(unset("export V=/a${V:+:$V}"), "/a");
  EXPECT_EQ(unset("V=${V:+$V:}/a"), "/a");
  EXPECT_EQ(unset("V=/a${V:+:${V}}"), "/a");
  EXPECT_EQ(unset("V=/x\nV=/a:$V"), "/a:/x");
  EXPECT_EQ(unset("V=/a:$OTHER"), "/a:$OTHER");
  EXPECT_EQ(unset("V=${V-/d}"), "/d");
  EXPECT_EQ(unset("V+=:/a"), ":/a");
}

// C76
TEST(Shell, FindsUmaskSourceAndHistory) {
  EXPECT_THAT(sh("if true; then\n umask 002\nelse\n umask 022\nfi\n. /etc/x\nsource \"$HOME/y\"\numask -S "
                 "u=rwx,g=,o=\nset +o history\nunset HISTFILE\n# umask 000\n"),
              ElementsAre("2:umask=002 c", "4:umask=022 c", "6:source=/etc/x", "7:source=$HOME/y",
                          "8:umask=u=rwx,g=,o=", "9:history=off", "10:-HISTFILE"));
}

TEST(Shell, SurvivesHostileText) {
  EXPECT_THAT(sh("A='unclosed"), ElementsAre("1:A=unclosed"));
  EXPECT_THAT(sh("fi done esac } ) ;; A=1"), ElementsAre("1:A=1"));
  EXPECT_THAT(sh("cat <<EOF\nA=1\n"), IsEmpty());
  EXPECT_THAT(sh("A=\\"), ElementsAre("1:A=\\"));
  EXPECT_EQ(sh("A=" +
               [] {
                 std::string nested;
                 for (int i = 0; i < 100000; ++i) nested += "${A:-$(";
                 return nested;
               }())
                .size(),
            1U);
}

TEST(Shell, StaysBoundedForValuesThatGrow) {
  std::string text = "A=xxxxxxxxxxxxxxxx\n";
  for (int i = 0; i < 50000; ++i) text += "A=$A$A$A$A$A$A$A$A\n";
  const auto parsed = parse_shell(text);
  EXPECT_TRUE(parsed.is_truncated);
  EXPECT_EQ(parsed.items.size(), kMaxShellItems);
}

TEST(Shell, DeepNestingKeepsItsConditions) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "if a; then\n";
  text += "A=1\n";
  for (int i = 0; i < 5000; ++i) text += "fi\n";
  EXPECT_THAT(sh(text + "B=2\n"), ElementsAre("5001:A=1 c", "10002:B=2"));
}

TEST(Fish, FindsSetAndItsLists) {
  EXPECT_THAT(words(parse_fish("set -gx CUDA_HOME /opt/cuda\nset -x LD_LIBRARY_PATH /a $LD_LIBRARY_PATH\nif test -d "
                               "/x\n set -gx B c\nend\nset -e D\nset local x\numask 027\n")),
              ElementsAre("1:CUDA_HOME=/opt/cuda e", "2:LD_LIBRARY_PATH=/a:$LD_LIBRARY_PATH e", "4:B=c ec", "6:-D",
                          "7:local=x", "8:umask=027"));
}

TEST(Csh, FindsSetenv) {
  EXPECT_THAT(words(parse_csh(
                  "setenv A b\nif ($?X) setenv C d\nif ( -d /x ) then\n setenv E f\nendif\numask 022\nunsetenv G\n")),
              ElementsAre("1:A=b e", "2:C=d ec", "4:E=f ec", "6:umask=022", "7:-G"));
}

}  // namespace
}  // namespace gpuharden::test
