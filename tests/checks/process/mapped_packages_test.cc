// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/apt/dpkg_files.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Diversions, ComeInThrees) {
  EXPECT_THAT(parse_diversions("/usr/lib/libGL.so.1\n/usr/lib/mesa/libGL.so.1\nglx-diversions\n/rest\n"),
              ElementsAre(Pair("/usr/lib/mesa/libGL.so.1", "/usr/lib/libGL.so.1")));
  EXPECT_THAT(parse_diversions("\n\n"), IsEmpty());
}

TEST(MappedPackagesProbe, LooksIntoTheListsOfEachRoot) {
  Capture capture;
  const std::string maps =
      "1-2 r-xp 0 0:0 2 /usr/lib/a.so\n1-2 r-xp 0 0:0 2 /usr/lib/mesa/b.so\n1-2 r-xp 0 0:0 2 /opt/c.so\n"
      "1-2 r-xp 0 0:0 2 /usr/lib/gone.so (deleted)\n";
  capture.file("/proc/devices", "Character devices:\n195 nvidia\n").file("/proc/1/comm", "systemd\n");
  for (const std::string pid : {"700", "701"}) {
    capture.file("/proc/" + pid + "/comm", "python3\n")
        .file("/proc/" + pid + "/maps", maps)
        .link("/proc/" + pid + "/fd/4", "/dev/nvidia0");
  }
  capture.link("/proc/701/root", "/containers/c1")
      .file("/var/lib/dpkg/info/liba:amd64.list", "/.\n/lib/a.so\n")
      .file("/var/lib/dpkg/info/libb.list", "/usr/lib/b.so\n")
      .file("/var/lib/dpkg/diversions", "/usr/lib/b.so\n/usr/lib/mesa/b.so\nx\n")
      .file("/containers/c1/usr/lib/a.so", "");
  const auto table = read_table(*capture.open(), "mapped_packages");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.where("path", "/usr/lib/a.so").at("package"), "liba");
  EXPECT_EQ(table.where("path", "/usr/lib/mesa/b.so").at("package"), "libb");
  EXPECT_EQ(table.where("container", "/containers/c1").at("is_packaged"), "NULL");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(MappedPackagesProbe, HasGapsForWhatCannotBeRead) {
  Capture capture;
  capture.file("/proc/devices", "Character devices:\n195 nvidia\n")
      .file("/proc/1/comm", "systemd\n")
      .file("/proc/700/maps", "1-2 r-xp 0 0:0 2 /usr/lib/a.so\n")
      .link("/proc/700/fd/4", "/dev/nvidia0")
      .yaml("paths: {/var/lib/dpkg/info: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "mapped_packages").gap_words(), Contains("* * permission"));
}

}  // namespace
}  // namespace gpuharden::test
