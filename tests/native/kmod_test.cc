// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/kmod.h"

#include <gtest/gtest.h>

#include "engine/native/decompress.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

constexpr std::size_t kCap = 1U << 20U;

TEST(Kmod, TellsWhoSignedAModule) {
  // Debian's libkmod is built without zlib: nothing is promised for .gz.
  for (const auto* name : {"signed.ko", "signed.ko.xz", "signed.ko.zst"}) {
    const auto info = module_file_info(source_path(std::string("tests/data/kernel/modules/") + name));
    ASSERT_TRUE(info) << name << info.error().message;
    EXPECT_EQ(info->source_version, "0123456789ABCDEF0123456") << name;
    EXPECT_EQ(info->signature_hash, "sha256") << name;
    EXPECT_EQ(info->signer, "DKMS module signing key") << name;
  }
}

TEST(Kmod, TellsNoSignerOfAnUnsignedModule) {
  const auto info = module_file_info(source_path("tests/data/kernel/modules/tiny.ko"));
  ASSERT_TRUE(info);
  EXPECT_FALSE(info->signer);
  EXPECT_EQ(info->license, "Dual MIT/GPL");
}

TEST(Kmod, IsMalformedWhenTheFileIsNoModule) {
  Capture capture;
  capture.file("/x.ko",
               "\x7f"
               "ELF no");
  EXPECT_FALSE(module_file_info(capture.root() + "/x.ko"));
  EXPECT_FALSE(module_file_info(capture.root() + "/absent.ko"));
}

TEST(Kmod, ReadsThroughTheDescriptorOfARoot) {
  Capture capture;
  capture.tree("tests/data/kernel/modules");
  const auto host = capture.open();
  const auto place = host->files().library_path("/signed.ko.zst");
  ASSERT_TRUE(place);
  EXPECT_TRUE(module_file_info(place->path));
  EXPECT_FALSE(host->files().library_path("/"));
}

TEST(Decompress, GivesTheSameBytesWhateverTheFormat) {
  const std::string plain = read_source("tests/data/kernel/modules/signed.ko");
  for (const auto* suffix : {"", ".gz", ".xz", ".zst"}) {
    const auto bytes = decompress(read_source(std::string("tests/data/kernel/modules/signed.ko") + suffix), kCap);
    ASSERT_TRUE(bytes) << suffix;
    EXPECT_EQ(*bytes, plain) << suffix;
  }
}

TEST(Decompress, RefusesMoreThanItsCap) {
  for (const auto* suffix : {"", ".gz", ".xz", ".zst"}) {
    const auto bytes = decompress(read_source(std::string("tests/data/kernel/modules/signed.ko") + suffix), 100);
    ASSERT_FALSE(bytes) << suffix;
    EXPECT_EQ(bytes.error().code, ErrorCode::kTooLarge) << suffix;
  }
}

TEST(Decompress, IsMalformedWhenTheStreamIsCut) {
  for (const auto* suffix : {".gz", ".xz", ".zst"}) {
    std::string bytes = read_source(std::string("tests/data/kernel/modules/signed.ko") + suffix);
    bytes.resize(bytes.size() / 2);
    const auto result = decompress(bytes, kCap);
    ASSERT_FALSE(result) << suffix;
    EXPECT_EQ(result.error().code, ErrorCode::kMalformed) << suffix;
  }
}

}  // namespace
}  // namespace gpuharden::test
