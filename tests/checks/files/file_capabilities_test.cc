// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/files/file_capabilities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/files/package_owners.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;
using namespace std::string_literals;

TEST(FileCapabilities, ReadsEachVersion) {
  const auto one = parse_file_capabilities("\x01\0\0\x01\0\x20\0\0\0\0\0\0"s);
  EXPECT_TRUE(one->effective);
  EXPECT_THAT(capability_names(one->permitted), ElementsAre("cap_net_raw"));
  const auto two = parse_file_capabilities("\0\0\0\x02\0\0\x20\0\0\0\0\0\x80\0\0\0\0\0\0\0"s);
  EXPECT_FALSE(two->effective);
  EXPECT_THAT(capability_names(two->permitted), ElementsAre("cap_sys_admin", "cap_bpf"));
  EXPECT_EQ(parse_file_capabilities("\0\0\0\x03"s + std::string(16, '\0') + "\xe8\x03\0\0"s)->root_id, 1000U);
}

TEST(FileCapabilities, RefusesOtherBytes) {
  EXPECT_FALSE(parse_file_capabilities(""));
  EXPECT_FALSE(parse_file_capabilities("\0\0\0\x02"s));
  EXPECT_FALSE(parse_file_capabilities("\0\0\0\x04"s + std::string(16, '\0')));
  EXPECT_THAT(capability_names(std::uint64_t{1} << 63U), ElementsAre("cap_63"));
}

TEST(PackageOwners, KnowsBothNamesOfMergedFolders) {
  Capture capture;
  capture.file("/var/lib/dpkg/info/mount.list", "/.\n/bin/mount\n")
      .file("/var/lib/dpkg/info/x:amd64.list", "/usr/bin/x");
  const auto host = capture.open();
  const auto owners = find_package_owners(host->files(), {"/usr/bin/mount", "/usr/bin/x", "/usr/bin/y"});
  EXPECT_EQ(owners->at("/usr/bin/mount"), "mount");
  EXPECT_EQ(owners->at("/usr/bin/x"), "x:amd64");
  EXPECT_FALSE(owners->contains("/usr/bin/y"));
}

TEST(SetuidFilesProbe, LooksThroughMergedFoldersOnce) {
  Capture capture;
  capture.link("/bin", "usr/bin").file("/usr/bin/su", "").file("/usr/lib/x/helper", "").file("/usr/lib/x/y/deep", "");
  capture.yaml(
      "paths: {/usr/bin/su: {mode: \"04755\"}, /usr/lib/x/helper: {mode: \"02755\"}, /usr/lib/x/y/deep: {mode: "
      "\"04755\"}}");
  const auto table = read_table(*capture.open(), "setuid_files");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.where("path", "/usr/lib/x/helper").at("setgid"), "1");
  EXPECT_EQ(table.where("path", "/usr/bin/su").at("package"), "UNREAD");
}

TEST(AclsProbe, NamesAccountsWhereItCan) {
  Capture capture;
  capture.file("/etc/passwd", "root:x:0:0::/:\nal:x:1000:1000::/:\n").file("/etc/group", "root:x:0:\n");
  capture.yaml(
      "paths: {/dev/kfd: {type: char, xattr: {system.posix_acl_access: "
      "\"0200000001000600ffffffff02000600e803000004000600ffffffff10000600ffffffff20000000ffffffff\"}}}");
  const auto table = read_table(*capture.open(), "acls");
  EXPECT_EQ(table.where("path", "/dev/kfd").at("entry"), "user:al:rw-");
  EXPECT_EQ(table.rows[0].at("class"), "device");
}

}  // namespace
}  // namespace gpuharden::test
