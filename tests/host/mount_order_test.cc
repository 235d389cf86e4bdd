// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "engine/host/mounts.h"

namespace gpuharden::test {
namespace {

TEST(MountTable, KeepsWhatStandsOnARootListedLater) {
  const auto table = MountTable::parse(
      "22 27 0:21 / /proc rw - proc proc rw\n"
      "27 1 254:0 / / rw - ext4 /dev/vda rw\n",
      "/");
  ASSERT_NE(table.at("/proc"), nullptr);
}

TEST(MountTable, DropsWhatAnotherMountCovers) {
  const auto table = MountTable::parse(
      "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
      "30 27 0:5 / /mnt rw - ext4 /dev/vdb rw\n"
      "31 30 0:6 / /mnt/share rw - nfs4 server:/x rw\n"
      "32 30 0:7 / /mnt rw - tmpfs tmpfs rw\n",
      "/");
  EXPECT_EQ(table.at("/mnt/share"), nullptr);
  EXPECT_EQ(table.at("/mnt")->fs_type, "tmpfs");
}

}  // namespace
}  // namespace gpuharden::test
