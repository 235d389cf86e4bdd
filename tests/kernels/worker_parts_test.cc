// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of the worker that need no device: lines, which libraries are trusted, and AMD's topology.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/worker/amd_architecture.h"
#include "kernels/worker/library.h"
#include "kernels/worker/lines.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using kernels::amd_architecture_name;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Lines, AreJsonWhateverADeviceIsCalled) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/out";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
  kernels::Line("device")
      .text("name", "a\"b\\c\n\x80\x01")
      .number("n", 5U)
      .real("us", 1.25)
      .real("bad", -1.0)
      .bits("bits", ~std::uint64_t{0})
      .bits("list", std::vector<std::uint64_t>{})
      .flag("yes", true)
      .send(fd);
  ::close(fd);
  std::ifstream stream(path);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["n"], 5);
  EXPECT_EQ(json["us"], 1.25);
  EXPECT_EQ(json["bad"], 0);
  EXPECT_EQ(json["bits"], "0xffffffffffffffff");
  EXPECT_TRUE(json["list"].empty());
  EXPECT_THAT(std::string(json["name"]), HasSubstr("a\"b\\c\n"));
}

TEST(Libraries, AreTrustedWhereOnlyRootMayWrite) {
  EXPECT_THAT(kernels::untrusted_part("/usr/bin/env"), IsEmpty());
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/libcuda.so.1") << "x";
  // Folders for everybody lie above it.
  EXPECT_THAT(kernels::untrusted_part(folder.path() + "/libcuda.so.1"), HasSubstr("/tmp"));
  EXPECT_THAT(kernels::untrusted_part(folder.path() + "/none"), HasSubstr("cannot be resolved"));
}

TEST(Libraries, TheHighestVersionComesFirst) {
  const auto found = kernels::find_libraries("libc.so");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found.front(), HasSubstr("/libc.so.6"));
  EXPECT_THAT(kernels::find_libraries("libnobodyhasthis.so"), IsEmpty());
}

TEST(Libraries, AnUntrustedOneIsNotOpened) {
  const TemporaryFolder folder;
  fs::copy_file("/bin/true", folder.path() + "/libcuda.so.1");
  kernels::Library library;
  const auto failure = library.open({folder.path() + "/libcuda.so.1"}, "libcuda.so", true);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->reason, "untrusted-library");
}

TEST(AmdArchitecture, IsWrittenAsCompilersDo) {
  EXPECT_EQ(amd_architecture_name(90010), "gfx90a");
  EXPECT_EQ(amd_architecture_name(90402), "gfx942");
  EXPECT_EQ(amd_architecture_name(90012), "gfx90c");
  EXPECT_EQ(amd_architecture_name(100300), "gfx1030");
  EXPECT_EQ(amd_architecture_name(120001), "gfx1201");
  EXPECT_EQ(amd_architecture_name(0), "");
}

TEST(AmdArchitecture, IsFoundByThePciAddress) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() + "/nodes/0");
  fs::create_directories(folder.path() + "/nodes/1");
  std::ofstream(folder.path() + "/nodes/0/properties") << "cpu_cores_count 64\ngfx_target_version 0\n";
  std::ofstream(folder.path() + "/nodes/1/properties")
      << "simd_count 1216\nsimd_per_cu 4\ngfx_target_version 90402\nlocation_id 49408\ndomain 0\n"
         "max_engine_clk_fcompute 2100\n";
  const auto found = kernels::amd_architecture_of("0000:c1:00.0", folder.path());
  EXPECT_EQ(found.architecture, "gfx942");
  EXPECT_EQ(found.units, 304U);
  EXPECT_EQ(found.clock_mhz, 2100U);
  EXPECT_EQ(kernels::amd_architecture_of("0000:c2:00.0", folder.path()).architecture, "");
  EXPECT_EQ(kernels::amd_architecture_of("nonsense", folder.path()).architecture, "");
  EXPECT_EQ(kernels::amd_architecture_of("0000:c1:00.0", folder.path() + "/none").architecture, "");
}

}  // namespace
}  // namespace gpuharden::test
