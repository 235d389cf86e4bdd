// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr const char* kList = "/etc/apt/sources.list.d/gpu.list";
constexpr const char* kCuda = "https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64/";

TableText sources_of(std::string_view list) {
  Capture capture;
  capture.file(kList, list);
  return read_table(*capture.open(), "apt_sources");
}

TableText sources_of_tree(std::string_view tree) {
  Capture capture;
  capture.tree(tree);
  return read_table(*capture.open(), "apt_sources");
}

TEST(AptSourcesProbe, ReadsAOneLineEntry) {
  const auto table = sources_of(
      "# x\ndeb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg,/b.gpg] https://repo.radeon.com/rocm/apt/7.2 noble "
      "main proprietary\n");
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows[0];
  EXPECT_EQ(row.at("line"), "2");
  EXPECT_EQ(row.at("components"), "main proprietary");
  EXPECT_EQ(row.at("signed_by"), "/usr/share/keyrings/a.gpg,/b.gpg");
  EXPECT_EQ(row.at("signed_by_file"), "/usr/share/keyrings/a.gpg");
  EXPECT_EQ(row.at("vendor"), "amd");
  EXPECT_EQ(row.at("trusted"), "NULL");
  EXPECT_EQ(row.at("options"), "arch=amd64 signed-by=/usr/share/keyrings/a.gpg,/b.gpg");
}

TEST(AptSourcesProbe, HasOneRowForEachUriAndSuite) {
  Capture capture;
  capture.file("/etc/apt/sources.list.d/a.sources",
               "Types: deb deb-src\nURIs: http://a http://b\nSuites: one two\nComponents: main\n");
  const auto table = read_table(*capture.open(), "apt_sources");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[3].at("uri") + " " + table.rows[3].at("suite"), "http://b two");
  EXPECT_EQ(table.rows[0].at("type"), "deb deb-src");
}

TEST(AptSourcesProbe, KnowsAnEntryByItsText) {
  const auto first = sources_of("deb https://a ./\n");
  const auto moved = sources_of("\n# new\n  deb https://a ./   # why\n");
  EXPECT_EQ(first.rows.at(0).at("entry"), moved.rows.at(0).at("entry"));
  EXPECT_NE(first.rows.at(0).at("entry"), sources_of("deb https://b ./\n").rows.at(0).at("entry"));
}

TEST(AptSourcesProbe, KeepsCredentialsToItself) {
  const auto table = sources_of("deb https://robot:s3cret@mirror.example.invalid:8443/cuda ./\n");
  const auto& row = table.rows.at(0);
  EXPECT_EQ(row.at("uri"), "https://mirror.example.invalid:8443/cuda");
  EXPECT_EQ(row.at("host"), "mirror.example.invalid");
  EXPECT_EQ(row.at("has_credentials"), "1");
  for (const auto& [column, value] : row) EXPECT_THAT(value, testing::Not(testing::HasSubstr("s3cret"))) << column;
}

TEST(AptSourcesProbe, ReadsAnInlineKeyAsOneField) {
  const auto table = sources_of_tree("tests/data/apt/c01");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("signed_by"), "inline");
  EXPECT_EQ(table.rows[0].at("signed_by_file"), "NULL");
  EXPECT_EQ(table.rows[0].at("options"), "signed-by=inline");
  EXPECT_EQ(table.rows[0].at("vendor"), "nvidia");
}

TEST(AptSourcesProbe, SeesTheSecuritySuiteBehindAMirrorFile) {
  const auto table = sources_of_tree("tests/data/apt/c02");
  const auto& row = table.where("suite", "bookworm-security");
  EXPECT_EQ(row.at("scheme"), "file");
  EXPECT_EQ(row.at("plain_http"), "0");
  EXPECT_EQ(row.at("local"), "0");
}

TEST(AptSourcesProbe, ReadsTrustedAsAptDoes) {
  const auto table = sources_of_tree("tests/data/apt/c04");
  const auto trusted = [&](const char* name) {
    return table.where("uri", std::string("https://repo.example.invalid/") + name).at("trusted");
  };
  for (const auto* name : {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "d0", "w0"}) EXPECT_EQ(trusted(name), "1") << name;
  for (const auto* name : {"l0", "l1", "l3", "w1"}) EXPECT_EQ(trusted(name), "0") << name;
  EXPECT_EQ(trusted("l2"), "NULL");
  EXPECT_THAT(table.where("uri", "https://repo.example.invalid/l2").at("misspelled_options"),
              testing::HasSubstr("trusted was probably meant"));
  EXPECT_THAT(table.where("uri", "https://repo.example.invalid/l1").at("misspelled_options"),
              testing::HasSubstr("takes for \"no\""));
  EXPECT_EQ(table.where("uri", "https://repo.example.invalid/w2").at("allow_insecure"), "1");
}

TEST(AptSourcesProbe, SeesTheConflictThatStopsApt) {
  const auto table = sources_of_tree("tests/data/apt/c06");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("conflict"), "NULL");
  EXPECT_EQ(table.rows[1].at("conflict"),
            "signed-by differs from that of /etc/apt/sources.list.d/cuda-ubuntu2204-x86_64.list:1");
}

TEST(AptSourcesProbe, DoesNotMistakeAnOverlapForAConflict) {
  const auto table = sources_of("deb https://a/x stable main\ndeb [signed-by=/k.gpg] https://a/x/ stable extra\n");
  EXPECT_EQ(table.rows.at(1).at("conflict"), "NULL");
  EXPECT_THAT(table.rows.at(1).at("overlap"), testing::HasSubstr("gpu.list:1"));
}

TEST(AptSourcesProbe, PassesOverComments) {
  const auto table = sources_of_tree("tests/data/apt/c09");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[1].at("suite"), "noble-updates");
  EXPECT_EQ(table.rows[2].at("line"), "15");
}

TEST(AptSourcesProbe, ReadsGluedStanzasAsOne) {
  const auto table = sources_of_tree("tests/data/apt/c10");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("uri"), "https://repo.radeon.com/amdgpu/6.2/ubuntu");
  EXPECT_EQ(table.rows[0].at("trusted"), "1");
  EXPECT_EQ(table.rows[0].at("stanza_repeats"), "Types, URIs, Suites");
}

TEST(AptSourcesProbe, TellsTheTransport) {
  const auto table = sources_of(
      "deb HTTP://a ./\ndeb tor+http://b ./\ndeb mirror+https://c ./\ndeb mirror://d ./\ndeb cdrom:[Debian]/ ./\ndeb "
      "file:/e ./\n");
  std::string schemes;
  for (const auto& row : table.rows) schemes += row.at("scheme") + row.at("plain_http") + row.at("local") + " ";
  EXPECT_EQ(schemes, "http10 http10 https00 http10 cdrom00 file01 ");
}

TEST(AptSourcesProbe, SaysWhoCanChangeALocalRepository) {
  Capture capture;
  capture.file(kList, "deb [signed-by=/k.gpg] file:///var/cuda-repo-x-local /\ndeb file:/srv/gone/repo /\n");
  capture.folder("/var/cuda-repo-x-local").folder("/srv").yaml("paths: {/var/cuda-repo-x-local: {mode: \"0777\"}}");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_EQ(table.rows.at(0).at("changeable_by"), "/var/cuda-repo-x-local is world-writable (0777)");
  EXPECT_EQ(table.rows.at(0).at("vendor"), "nvidia");
  EXPECT_EQ(table.rows.at(1).at("changeable_by"), "NULL");
}

TEST(AptSourcesProbe, TakesTheVendorOfAMirrorFromItsReleaseFile) {
  Capture capture;
  capture.file(kList, "deb https://mirror.example.invalid/x/ /\ndeb https://mirror.example.invalid/y stable main\n");
  capture.file("/var/lib/apt/lists/mirror.example.invalid_x_InRelease",
               "-----BEGIN PGP SIGNED MESSAGE-----\n\nOrigin: NVIDIA\nLabel: NVIDIA CUDA\nSHA256:\n");
  capture.file("/var/lib/apt/lists/mirror.example.invalid_y_dists_stable_Release", "Origin: Example\nLabel: tools\n");
  capture.file("/var/lib/apt/lists/mirror.example.invalid_y_dists_stable_main_binary-amd64_Packages",
               "Package: cuda-toolkit\nVersion: 1\n\nPackage: bash\n\nPackage: nvidia-driver\n");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_EQ(table.rows.at(0).at("vendor"), "nvidia");
  EXPECT_EQ(table.rows.at(0).at("release_label"), "NVIDIA CUDA");
  EXPECT_EQ(table.rows.at(1).at("vendor"), "NULL");
  EXPECT_EQ(table.rows.at(1).at("gpu_packages"), "2");
}

TEST(AptSourcesProbe, CannotTellTheVendorWithoutTheLists) {
  Capture capture;
  capture.file(kList, std::string("deb https://mirror.example.invalid/x/ /\ndeb ") + kCuda + " /\n")
      .folder("/var/lib/apt/lists");
  capture.yaml("paths: {/var/lib/apt/lists: {error: permission}}");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_EQ(table.rows.at(0).at("vendor"), "UNREAD");
  EXPECT_EQ(table.rows.at(1).at("vendor"), "nvidia");
}

TEST(AptSourcesProbe, IsAGapWhenAFileCannotBeRead) {
  Capture capture;
  capture.file(kList, "deb https://a ./\n")
      .file("/etc/apt/sources.list", "")
      .yaml("paths: {" + std::string(kList) + ": {error: permission}}");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_THAT(table.gap_words(), testing::ElementsAre(std::string(kList) + " * permission"));
}

TEST(AptSourcesProbe, IsAGapWhenTheFolderCannotBeListed) {
  Capture capture;
  capture.folder("/etc/apt/sources.list.d").yaml("paths: {/etc/apt/sources.list.d: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "apt_sources").gap_words(), testing::ElementsAre("* * permission"));
}

TEST(AptSourcesProbe, IsAGapWhenAptReadsOtherPlaces) {
  Capture capture;
  capture.file(kList, "deb https://a ./\n")
      .file("/etc/apt/apt.conf.d/1", "Dir::Etc::SourceParts \"/srv/apt\";\nDir::Etc::sourcelist \"sources.list\";\n");
  const auto table = read_table(*capture.open(), "apt_sources");
  ASSERT_EQ(table.gaps.size(), 1U);
  EXPECT_THAT(table.gaps[0].sentence, testing::HasSubstr("/etc/apt/apt.conf.d/1:1: Dir::Etc::SourceParts"));
}

TEST(AptSourcesProbe, IsEmptyWhereThereIsNoApt) {
  Capture capture;
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.gaps.empty());
}

TEST(AptSourcesProbe, IgnoresWhatAptIgnores) {
  Capture capture;
  for (const auto* name : {"a.list.save", "a.list~", ".a.list", "a b.list", "a.sources.dpkg-old", "README"}) {
    capture.file(std::string("/etc/apt/sources.list.d/") + name, "deb https://a ./\n");
  }
  capture.folder("/etc/apt/sources.list.d/folder.list").link("/etc/apt/sources.list.d/gone.list", "/nowhere");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.gaps.empty());
}

TEST(AptSourcesProbe, SurvivesHostileBytes) {
  const auto table = sources_of_tree("tests/data/apt/c137");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("line"), "2");
  EXPECT_EQ(table.rows[0].at("trusted"), "1");
}

TEST(AptSourcesProbe, GivesUpOnWhatIsNoList) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "\x01\x02 junk\n";
  const auto table = sources_of(text + "deb https://a ./\n");
  EXPECT_EQ(table.rows.size(), 20U);
  EXPECT_THAT(table.rows[0].at("unusable"), testing::HasSubstr("is not known"));
  EXPECT_THAT(table.gap_words(), testing::ElementsAre(std::string(kList) + " * malformed"));
}

TEST(AptSourcesProbe, DoesNotQuoteWhatALinkLeadsTo) {
  Capture capture;
  capture.file("/etc/shadow", "root:$6$salt$hash:19000::::::\n").link("/etc/apt/sources.list.d/e.list", "/etc/shadow");
  const auto table = read_table(*capture.open(), "apt_sources");
  EXPECT_EQ(table.rows.at(0).at("unusable"), "its type is not known");
  for (const auto& [column, value] : table.rows[0])
    EXPECT_THAT(value, testing::Not(testing::HasSubstr("salt"))) << column;
}

TEST(AptSourcesProbe, ReadsALineOfAMebibyte) {
  std::string text = "deb [arch=";
  text.append(std::size_t{1} << 20U, 'x');
  const auto table = sources_of(text + "] https://a ./\ndeb https://b ./\n");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].at("line"), "2");
}

TEST(AptSourcesProbe, StaysInsideAnImage) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n")
      .link("/etc/apt/sources.list.d/e.list", "/etc/hostname-of-the-scanning-host");
  capture.file("/etc/hostname-of-the-scanning-host",
               "deb [signed-by=/k.gpg] https://inside-the-root.example.invalid/ ./\n");
  const auto table = read_table(*capture.open_image(), "apt_sources");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("host"), "inside-the-root.example.invalid");
}

}  // namespace
}  // namespace gpuharden::test
