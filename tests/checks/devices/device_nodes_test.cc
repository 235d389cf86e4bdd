// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kDevices =
    "Character devices:\n  1 mem\n195 nvidia\n195 nvidiactl\n195 nvidia-modeset\n226 drm\n234 kfd\n237 nvidia-caps\n"
    "510 nvidia-uvm\n\nBlock devices:\n  8 sd\n";
constexpr const char* kGroups = "root:x:0:\nvideo:x:44:alice\nrender:x:109:bob\ncrontab:x:110:\n";

// A host with the usual files; devices are added by host.yaml.
class DeviceNodesProbe : public testing::Test {
 protected:
  DeviceNodesProbe() {
    capture_.file("/proc/devices", kDevices)
        .file("/etc/group", kGroups)
        .file("/etc/passwd", "root:x:0:0::/root:/bin/bash\n");
  }
  Capture capture_;
};

// C36: every node counts, the uvm ones too.
TEST_F(DeviceNodesProbe, SeesTheModeOfEachNode) {
  capture_.yaml(R"(paths:
  /dev/nvidia0: {type: char, mode: "0660", gid: 44, major: 195, minor: 0}
  /dev/nvidiactl: {type: char, mode: "0660", gid: 44, major: 195, minor: 255}
  /dev/nvidia-uvm: {type: char, mode: "0666", major: 510, minor: 0}
  /dev/nvidia-uvm-tools: {type: char, mode: "0666", major: 510, minor: 1}
  /dev/nvidia-nvswitch0: {type: char, mode: "0600", major: 500, minor: 0}
  /dev/nvidiafoo: {type: char, mode: "0666", major: 1, minor: 1}
)");
  const auto table = read_table(*capture_.open(), "device_nodes");
  EXPECT_EQ(table.rows.size(), 5U);
  const auto& uvm = table.where("path", "/dev/nvidia-uvm-tools");
  EXPECT_EQ(uvm.at("class"), "nvidia-uvm");
  EXPECT_EQ(uvm.at("others_write"), "1");
  EXPECT_EQ(uvm.at("expected_major"), "510");
  EXPECT_EQ(table.where("path", "/dev/nvidia0").at("group_name"), "video");
  EXPECT_EQ(table.where("path", "/dev/nvidia-nvswitch0").at("expected_major"), "NULL");
  EXPECT_THAT(table.gaps, IsEmpty());
}

// C38: the audited root names the groups; a gid without a name stays a number.
TEST_F(DeviceNodesProbe, TakesGroupNamesFromTheAuditedRoot) {
  capture_.yaml(R"(paths:
  /dev/kfd: {type: char, mode: "0660", gid: 109, major: 234, minor: 0}
  /dev/dri/renderD128: {type: char, mode: "0660", gid: 992, major: 226, minor: 128}
  /dev/dri/by-path: {type: directory}
)");
  const auto table = read_table(*capture_.open(), "device_nodes");
  EXPECT_EQ(table.where("path", "/dev/kfd").at("group_name"), "render");
  const auto& render = table.where("path", "/dev/dri/renderD128");
  EXPECT_EQ(render.at("gid"), "992");
  EXPECT_EQ(render.at("group_name"), "NULL");
  EXPECT_EQ(render.at("class"), "drm-render");
}

TEST_F(DeviceNodesProbe, DoesNotGuessNamesWhenTheGroupFileIsUnreadable) {
  capture_.yaml(
      "paths:\n  /etc/group: {error: permission}\n  /dev/kfd: {type: char, mode: \"0660\", gid: 109, major: 234}\n");
  const auto table = read_table(*capture_.open(), "device_nodes");
  EXPECT_EQ(table.rows.at(0).at("group_name"), "UNREAD");
  EXPECT_THAT(table.gap_words(), ElementsAre("/dev/kfd group_name permission"));
}

// C40: /proc says which right a node stands for; its numbers are decimal.
TEST_F(DeviceNodesProbe, NamesTheCapabilities) {
  capture_
      .file("/proc/driver/nvidia/capabilities/mig/config",
            "DeviceFileMinor: 1\nDeviceFileMode: 256\nDeviceFileModify: 1\n")
      .file("/proc/driver/nvidia/capabilities/mig/monitor",
            "DeviceFileMinor: 2\nDeviceFileMode: 292\nDeviceFileModify: 1\n")
      .yaml(R"(paths:
  /dev/nvidia-caps/nvidia-cap1: {type: char, mode: "0400", major: 237, minor: 1}
  /dev/nvidia-caps/nvidia-cap2: {type: char, mode: "0444", major: 237, minor: 2}
  /dev/nvidia-caps/nvidia-cap102: {type: char, mode: "0444", major: 237, minor: 102}
)");
  const auto table = read_table(*capture_.open(), "device_nodes");
  EXPECT_EQ(table.where("minor", "1").at("cap_name"), "mig/config");
  EXPECT_EQ(table.where("minor", "1").at("cap_expected_mode"), "256");
  EXPECT_EQ(table.where("minor", "2").at("cap_name"), "mig/monitor");
  EXPECT_EQ(table.where("minor", "102").at("cap_name"), "NULL");
}

TEST_F(DeviceNodesProbe, TellsAFileFromADevice) {
  capture_.file("/dev/nvidia1", "not a device").link("/dev/nvidiactl", "/tmp/x").yaml(R"(paths:
  /dev/nvidia-uvm: {type: char, mode: "0666", major: 1, minor: 1}
)");
  const auto table = read_table(*capture_.open(), "device_nodes");
  EXPECT_EQ(table.where("path", "/dev/nvidia1").at("is_character_device"), "0");
  EXPECT_EQ(table.where("path", "/dev/nvidia1").at("major"), "NULL");
  EXPECT_EQ(table.where("path", "/dev/nvidiactl").at("type"), "symlink");
  EXPECT_EQ(table.where("path", "/dev/nvidia-uvm").at("major_driver"), "mem");
}

TEST_F(DeviceNodesProbe, ShowsNamedAclEntries) {
  capture_.yaml(R"(paths:
  /dev/dri/renderD128: {type: char, mode: "0660", gid: 109, major: 226, minor: 128, xattr: {system.posix_acl_access: "0200000001000600ffffffff02000600e803000004000600ffffffff10000600ffffffff20000000ffffffff"}}
)");
  EXPECT_EQ(read_table(*capture_.open(), "device_nodes").rows.at(0).at("acl"), "user:1000:rw");
}

TEST(DeviceNodesProbeOfAnImage, SaysThatAnImageHoldsNone) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n")
      .file("/etc/group", kGroups)
      .file("/etc/passwd", "root:x:0:0::/root:/bin/sh\n");
  EXPECT_THAT(read_table(*capture.open_image(), "device_nodes").gap_words(), ElementsAre("* * not-held"));
}

TEST(DeviceNodesProbeOfAHost, HasNoRowsWithoutGpus) {
  Capture capture;
  capture.file("/proc/devices", "Character devices:\n  1 mem\n").file("/etc/group", kGroups).file("/etc/passwd", "");
  const auto table = read_table(*capture.open(), "device_nodes");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
