// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/cpio.h"
#include "checks/kernel/initramfs.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string blocked() { return read_source("tests/data/kernel/initrd/blocked/boot/initrd.img-6.8.0-45-generic"); }

TEST(Cpio, TakesPiecesOfAnySize) {
  const auto archive = read_source("tests/fuzz/corpus/cpio/modules");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, archive.size()}) {
    std::vector<std::string> names;
    CpioReader reader([](const CpioEntry&) { return false; },
                      [&](const CpioEntry& entry) { names.push_back(entry.name); });
    for (std::size_t at = 0; at < archive.size() && !reader.has_ended(); at += piece) {
      reader.feed(std::string_view(archive).substr(at, piece));
    }
    EXPECT_TRUE(reader.has_ended());
    EXPECT_THAT(names, ElementsAre("usr/lib/modules/6.8.0-45-generic/kernel/drivers/gpu/drm/nouveau/nouveau.ko.zst",
                                   "etc/modprobe.d/blacklist-nouveau.conf"));
  }
}

TEST(Initramfs, GoesThroughMicrocodeToTheCompressedArchive) {
  for (const auto* name : {"gzip", "xz", "zstd"}) {
    const auto contents = read_initramfs(read_source(std::string("tests/fuzz/corpus/initramfs/") + name));
    EXPECT_FALSE(contents.error) << name;
    ASSERT_EQ(contents.modprobe_files.size(), 1U) << name;
    EXPECT_TRUE(contents.modprobe_files[0].content.starts_with("blacklist nouveau\n")) << name;
    EXPECT_FALSE(contents.modules.empty()) << name;
  }
}

TEST(Initramfs, SaysWhatItCouldNotLookInto) {
  EXPECT_EQ(read_initramfs("\x04\x22\x4d\x18 lz4").error->code, ErrorCode::kUnsupported);
  EXPECT_EQ(read_initramfs("070701 not hexadecimal").error->code, ErrorCode::kMalformed);
  const auto whole = blocked();
  EXPECT_EQ(read_initramfs(std::string_view(whole).substr(0, whole.size() - 20)).error->code, ErrorCode::kMalformed);
  EXPECT_FALSE(read_initramfs("").error);
}

TEST(InitramfsModulesProbe, ListsModulesAndLines) {
  Capture capture;
  capture.tree("tests/data/kernel/initrd/blocked").file("/lib/modules/6.8.0-45-generic/modules.dep", "");
  const auto table = read_table(*capture.open(), "initramfs_modules");
  EXPECT_TRUE(table.has("name", "nvidia"));
  EXPECT_EQ(table.where("kind", "blacklist").at("name"), "nouveau");
  EXPECT_EQ(table.where("kind", "options").at("argument"), "NVreg_DeviceFileMode=0660");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(InitramfsModulesProbe, IsAGapWhenItCannotBeUnpacked) {
  Capture capture;
  capture.file("/boot/initrd.img-6.8", "hostile").file("/lib/modules/6.8/modules.dep", "");
  EXPECT_THAT(read_table(*capture.open(), "initramfs_modules").gap_words(),
              ElementsAre("/boot/initrd.img-6.8 * unsupported"));
}

}  // namespace
}  // namespace gpuharden::test
