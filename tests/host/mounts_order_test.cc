// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "engine/host/mounts.h"

namespace gpuharden {
namespace {

// A machine whose initial ramdisk mounted /proc before it moved to the real root.
TEST(MountTable, KeepsMountsThatAreListedBeforeTheirParent) {
  const auto table = MountTable::parse(
      "22 27 0:21 / /proc rw - proc proc rw\n24 27 0:6 / /dev rw - devtmpfs devtmpfs rw\n"
      "26 24 0:24 / /dev/pts rw - devpts devpts rw\n27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  ASSERT_NE(table.at("/proc"), nullptr);
  EXPECT_EQ(table.at("/proc")->fs_type, "proc");
  EXPECT_NE(table.at("/dev/pts"), nullptr);
}

TEST(MountTable, DropsWhatALaterMountHides) {
  const auto table = MountTable::parse(
      "27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:6 / /mnt rw - nfs a:/b rw\n31 30 0:7 / /mnt/sub rw - nfs a:/c rw\n"
      "32 30 0:8 / /mnt rw - tmpfs tmpfs rw\n");
  ASSERT_NE(table.at("/mnt"), nullptr);
  EXPECT_EQ(table.at("/mnt")->fs_type, "tmpfs");
  EXPECT_EQ(table.at("/mnt/sub"), nullptr);
}

}  // namespace
}  // namespace gpuharden
