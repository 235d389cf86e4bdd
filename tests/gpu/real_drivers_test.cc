// SPDX-License-Identifier: GPL-2.0-or-later
// gpu-worker and the vendors' real libraries on a machine without a GPU. ./dev test fetches them where it can
// (dev.d/real-drivers.bash) and names their folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "tests/support/program.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// The folder of what was unpacked of a package; empty when it was not.
std::string unpacked(const std::string& package) {
  const char* folder = std::getenv("GPUHARDEN_REAL_DRIVERS");
  const std::string path = folder == nullptr ? "" : std::string(folder) + "/" + package;
  return fs::is_directory(path) ? path : "";
}

std::string find_file(const std::string& folder, const std::string& name) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() == name) return entry.path();
  }
  return "";
}

std::string worker() { return (fs::path(program_path()).parent_path() / "gpu-worker").string(); }

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

bool is_there(const std::string& package) { return !unpacked(package).empty(); }

// NVIDIA's own library without its kernel module says that there is no device; and makes no node, as it would for root.
TEST(RealDrivers, NvidiasLibraryWithoutADriverHasNoDevice) {
  if (!is_there("cuda")) GTEST_SKIP() << "NVIDIA's library was not fetched";
  const bool had_node = fs::exists("/dev/nvidiactl");
  const auto run =
      run_command({worker(), "--vendor", "cuda", "--library", find_file(unpacked("cuda"), "libcuda.so.1"), "--list"});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr(R"("reason":"no-device","call":"init","code":100)"));
  EXPECT_EQ(fs::exists("/dev/nvidiactl"), had_node);
}

// AMD's runtime without its kernel module; its library finds LLVM's and its own parts by the environment.
TEST(RealDrivers, AmdsRuntimeWithoutADriverHasNoDevice) {
  if (!is_there("hip")) GTEST_SKIP() << "AMD's runtime was not fetched";
  const std::string library = find_file(unpacked("hip"), "libamdhip64.so.5");
  const std::string folder = fs::path(library).parent_path();
  const std::string numa = fs::path(find_file(unpacked("pocl"), "libnuma.so.1")).parent_path();
  const auto run = run_command({"/usr/bin/env", "-i", "LD_LIBRARY_PATH=" + folder + ":" + numa, worker(), "--vendor",
                                "hip", "--library", library, "--list"});
  EXPECT_EQ(run.exit_code, 1) << run.out;
  EXPECT_THAT(run.out, HasSubstr(R"("reason":"no-device","call":"init","code":101)"));
}

// PoCL is OpenCL on the processor: a program that asks for any device gets it.
TEST(RealDrivers, PoclIsNamedAProcessorAndLeavesNoFile) {
  if (!is_there("pocl")) GTEST_SKIP() << "PoCL was not fetched";
  const std::string folder = unpacked("pocl");
  const auto before = names_in("/mnt");
  const std::string libraries = fs::path(find_file(folder, "libOpenCL.so.1")).parent_path();
  const auto run =
      run_command({"/usr/bin/env", "-i", "LD_LIBRARY_PATH=" + libraries + ":" + folder + "/usr/lib/llvm-15/lib",
                   "OCL_ICD_VENDORS=" + find_file(folder, "pocl.icd"), worker(), "--vendor", "opencl", "--library",
                   libraries + "/libOpenCL.so.1", "--list"});
  if (run.out.find("\"permission\"") != std::string::npos) GTEST_SKIP() << "no mount namespace can be had here";
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, HasSubstr(R"("type":"cpu")"));
  EXPECT_THAT(run.out, Not(HasSubstr(R"("type":"gpu")")));
  EXPECT_EQ(names_in("/mnt"), before) << "its files are to pass with it";
}

}  // namespace
}  // namespace gpuharden::test
