// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr const char* kPlain = "61BD1C3D68A4A81337833009108A950223ACC663";

std::string key(std::string_view name) { return read_source("tests/data/apt/" + std::string(name)); }

TEST(AptKeyringsProbe, TellsGlobalKeysFromIgnoredFiles) {
  Capture capture;
  capture.tree("tests/data/apt/c13")
      .file("/etc/apt/trusted.gpg.d/box.gpg", std::string("\0\0\0\x20\1\1\0\0KBXf\0\0\0\0", 16));
  const auto table = read_table(*capture.open(), "apt_keyrings");
  const auto& armoured = table.where("file", "/etc/apt/trusted.gpg.d/amdgpu.asc");
  EXPECT_EQ(armoured.at("fingerprint"), kPlain);
  EXPECT_EQ(armoured.at("global") + armoured.at("read_by_apt"), "11");
  EXPECT_EQ(armoured.at("container"), "armored");
  EXPECT_EQ(table.where("file", "/etc/apt/trusted.gpg").at("read_by_apt"), "1");
  EXPECT_EQ(table.where("file", "/etc/apt/trusted.gpg.d/vendor.key").at("read_by_apt"), "0");
  EXPECT_EQ(table.where("file", "/etc/apt/trusted.gpg.d/box.gpg").at("read_by_apt"), "0");
  EXPECT_EQ(table.where("file", "/etc/apt/trusted.gpg.d/box.gpg").at("container"), "keybox");
}

TEST(AptKeyringsProbe, ReadsInlineKeys) {
  Capture capture;
  capture.tree("tests/data/apt/c01");
  const auto table = read_table(*capture.open(), "apt_keyrings");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("scope"), "inline");
  EXPECT_EQ(table.rows[0].at("fingerprint"), kPlain);
  EXPECT_EQ(table.rows[0].at("used_for"), "nvidia");
  EXPECT_EQ(table.rows[0].at("pin"), "foreign");
  EXPECT_THAT(table.gaps, testing::IsEmpty());
}

TEST(AptKeyringsProbe, SaysWhenAKeyExpires) {
  Capture capture;
  capture.tree("tests/data/apt/c12")
      .file("/usr/share/keyrings/extended.gpg", key("extended.gpg"))
      .yaml("now: 2082585600");
  const auto table = read_table(*capture.open(), "apt_keyrings");
  const auto& expired = table.where("file", "/etc/apt/keyrings/rocm.gpg");
  EXPECT_EQ(expired.at("expired"), "1");
  EXPECT_EQ(expired.at("expires"), "1577923200");
  EXPECT_EQ(expired.at("referenced"), "1");
  const auto& extended = table.where("file", "/usr/share/keyrings/extended.gpg");
  EXPECT_EQ(extended.at("expires_in_days"), "1");
  EXPECT_EQ(extended.at("expired"), "0");
  EXPECT_EQ(extended.at("scope"), "folder");
}

TEST(AptKeyringsProbe, SeesWeakDigestsAndRevocations) {
  Capture capture;
  capture.file("/etc/apt/keyrings/old.gpg", key("sha1.gpg")).file("/etc/apt/keyrings/revoked.gpg", key("revoked.gpg"));
  const auto table = read_table(*capture.open(), "apt_keyrings");
  const auto& old = table.where("file", "/etc/apt/keyrings/old.gpg");
  EXPECT_EQ(old.at("only_sha1_signatures"), "1");
  EXPECT_EQ(old.at("key_algorithm") + old.at("key_bits"), "rsa2048");
  EXPECT_EQ(old.at("user_id"), "Old Digest (test fixture) <sha1@example.invalid>");
  const auto& revoked = table.where("file", "/etc/apt/keyrings/revoked.gpg");
  EXPECT_EQ(revoked.at("revoked") + revoked.at("only_sha1_signatures"), "10");
}

TEST(AptKeyringsProbe, ReadsSeveralKeysOfOneFile) {
  Capture capture;
  capture.file("/etc/apt/keyrings/two.gpg", key("plain.gpg") + key("expired.gpg")).yaml("now: 1800000000");
  const auto table = read_table(*capture.open(), "apt_keyrings");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("expired") + table.rows[1].at("expired"), "01");
}

TEST(AptKeyringsProbe, NamesAKeyringThatIsNotThere) {
  Capture capture;
  capture.file("/etc/apt/sources.list", "deb [signed-by=/gone.gpg] https://repo.radeon.com/x ./\n");
  const auto table = read_table(*capture.open(), "apt_keyrings");
  EXPECT_EQ(table.rows.at(0).at("container"), "missing");
  EXPECT_EQ(table.rows.at(0).at("used_hosts"), "repo.radeon.com");
}

TEST(AptKeyringsProbe, IsAGapForWhatCannotBeRead) {
  Capture capture;
  capture.file("/etc/apt/keyrings/a.gpg", key("plain.gpg"))
      .file("/etc/apt/keyrings/cut.gpg", key("plain.gpg").substr(0, 200));
  capture.yaml("paths: {/etc/apt/keyrings/a.gpg: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "apt_keyrings").gap_words(),
              testing::ElementsAre("/etc/apt/keyrings/a.gpg * permission", "/etc/apt/keyrings/cut.gpg * malformed"));
}

TEST(AptKeyringsProbe, DoesNotPretendToSeeIntoAKeyboxInUse) {
  Capture capture;
  capture.file("/etc/apt/sources.list", "deb [signed-by=/k.gpg] https://repo.radeon.com/x ./\n");
  capture.file("/k.gpg", std::string("\0\0\0\x20\1\1\0\0KBXf\0\0\0\0", 16));
  EXPECT_EQ(read_table(*capture.open(), "apt_keyrings").rows.at(0).at("pin"), "UNREAD");
}

TEST(AptKeyringsProbe, SaysWhoCanChangeAKeyring) {
  Capture capture;
  capture.file("/etc/apt/keyrings/a.gpg", key("plain.gpg"))
      .yaml("paths: {/etc/apt/keyrings: {mode: \"0775\", gid: 100}}");
  EXPECT_EQ(read_table(*capture.open(), "apt_keyrings").rows.at(0).at("changeable_by"),
            "/etc/apt/keyrings is group-writable (0775, gid 100)");
}

}  // namespace
}  // namespace gpuharden::test
