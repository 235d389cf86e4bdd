// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checks/kernel/modprobe_conf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/conf_files.h"
#include "engine/native/kmod.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;

std::vector<ModprobeLine> parse(std::string_view text) {
  std::vector<std::uint32_t> bad;
  return parse_modprobe_conf(text, bad);
}

TEST(ModprobeConf, ReadsEveryCommand) {
  EXPECT_THAT(
      parse("blacklist usb-storage\ninstall dccp  /bin/false\noptions nvidia a=1\tb=2\n"),
      ElementsAre(ModprobeLine{"blacklist", "usb_storage", "", 1}, ModprobeLine{"install", "dccp", " /bin/false", 2},
                  ModprobeLine{"options", "nvidia", "a=1\tb=2", 3}));
}

TEST(ModprobeConf, JoinsLinesAtABackslash) {
  EXPECT_THAT(parse("options a \\\n x=1\nblacklist b"),
              ElementsAre(ModprobeLine{"options", "a", " x=1", 1}, ModprobeLine{"blacklist", "b", "", 3}));
}

TEST(ModprobeConf, KeepsACarriageReturnInTheName) {
  EXPECT_EQ(parse("blacklist nouveau\r\n").at(0).module, "nouveau\r");
}

TEST(ModprobeConf, TellsBadLines) {
  std::vector<std::uint32_t> bad;
  parse_modprobe_conf("# fine\nblacklist\ninstall x\nfrobnicate y\n\n", bad);
  EXPECT_THAT(bad, ElementsAre(2U, 3U, 4U));
}

TEST(ModprobeConf, SplitsOptionsAsTheKernelDoes) {
  const auto options = parse_module_options("a=1 some-name=\"x y\" flag -- z=1");
  ASSERT_EQ(options.size(), 3U);
  EXPECT_EQ(options[1].name, "some_name");
  EXPECT_EQ(options[1].value, "x y");
}

// What libkmod makes of the same folders; it puts the commands of one kind together.
TEST(ModprobeConf, AgreesWithLibkmod) {
  Capture capture;
  capture
      .file("/etc/modprobe.d/50-a.conf", "options nvidia X=1 \\\n Y=2\nblacklist nou-veau\r\nblacklist usb-storage\n")
      .file("/usr/lib/modprobe.d/50-a.conf", "blacklist shadowed\n")
      .file("/usr/lib/modprobe.d/10-b.conf",
            "install dccp   /bin/true\nalias pci:v[a-b]d-* some-module\n # x\nremove q z\\y\n")
      .file("/usr/lib/modprobe.d/20-c.conf.bak", "blacklist bak\n")
      .file("/usr/lib/modprobe.d/.hidden.conf", "blacklist hidden\n")
      .file("/usr/lib/modprobe.d/60.alias", "alias old new\noptions  b\t c=1 # not a comment\nblacklist\nbad line\n");
  const auto theirs = modprobe_settings({capture.root() + "/etc/modprobe.d", capture.root() + "/usr/lib/modprobe.d"});
  ASSERT_TRUE(theirs);
  const auto host = capture.open();
  static constexpr std::string_view kFolders[] = {"/etc/modprobe.d", "/usr/lib/modprobe.d"};
  static constexpr std::string_view kSuffixes[] = {".conf", ".alias"};
  std::vector<ModprobeSetting> ours;
  for (const auto* command : {"blacklist", "options", "install", "remove", "alias"}) {
    for (const auto& file : read_conf_files(host->files(), kFolders, kSuffixes).files) {
      for (const auto& line : parse(file.bytes)) {
        if (line.command == command) ours.push_back({line.command, line.module, line.argument});
      }
    }
  }
  // The command line of the machine that runs the test comes last in each kind of theirs: leave it out.
  std::vector<ModprobeSetting> common;
  // kmod 34 does not read *.alias.
  const bool reads_alias_files =
      std::any_of(theirs->begin(), theirs->end(), [](const auto& setting) { return setting.key == "old"; });
  if (!reads_alias_files)
    std::erase_if(ours, [](const auto& setting) { return setting.key == "old" || setting.key == "b"; });
  for (const auto& setting : *theirs) {
    if (std::find(ours.begin(), ours.end(), setting) != ours.end()) common.push_back(setting);
  }
  EXPECT_EQ(common, ours);
  for (const auto& setting : *theirs)
    EXPECT_THAT(setting.key, testing::Not(testing::AnyOf("shadowed", "bak", "hidden")));
}

}  // namespace
}  // namespace gpuharden::test
