// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/amd/gpu_kernels.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(KernelArchitecture, IsTakenFromTheFileName) {
  EXPECT_EQ(kernel_architecture("TensileLibrary_Type_SS_Contraction_l_Ailk_Bjlk_Cijk_Dijk_gfx90a.dat"), "gfx90a");
  EXPECT_EQ(kernel_architecture("Kernels.so-000-gfx942-xnack+.hsaco"), "gfx942");
  EXPECT_EQ(kernel_architecture("TensileLibrary_gfx1100.co"), "gfx1100");
  EXPECT_EQ(kernel_architecture("TensileLibrary_Type_HH_fallback.dat"), std::nullopt);
  EXPECT_EQ(kernel_architecture("gfx1100.txt"), std::nullopt);
  EXPECT_EQ(kernel_architecture("gfx.dat"), std::nullopt);
  EXPECT_EQ(kernel_architecture("gfx11001100.dat"), std::nullopt);
}

TEST(RocblasKernelsProbe, CountsFilesForEachArchitecture) {
  Capture capture;
  const std::string folder = "/opt/rocm-7.2.1/lib/rocblas/library";
  capture.link("/opt/rocm", "/etc/alternatives/rocm")
      .link("/etc/alternatives/rocm", "/opt/rocm-7.2.1")
      .file(folder + "/TensileLibrary_lazy_gfx1100.dat", "")
      .file(folder + "/Kernels.so-000-gfx1100.hsaco", "")
      .file(folder + "/TensileLibrary_lazy_gfx942.dat", "")
      .file("/usr/lib/x86_64-linux-gnu/rocblas/2.47.0/library/TensileLibrary_gfx906.co", "")
      .file("/opt/rocm-7.2.1/lib/hipblaslt/library/gfx1201/x.co", "")
      .folder("/usr/lib/ollama/rocm/rocblas/library");
  const auto table = read_table(*capture.open(), "rocblas_kernels");
  EXPECT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.where("gfx", "gfx1100").at("files"), "2");
  EXPECT_EQ(table.where("gfx", "gfx942").at("folder"), folder);
  EXPECT_EQ(table.where("gfx", "gfx906").at("library"), "rocblas");
  EXPECT_EQ(table.where("gfx", "gfx1201").at("library"), "hipblaslt");
  EXPECT_EQ(table.where("folder", "/usr/lib/ollama/rocm/rocblas/library").at("gfx"), "NULL");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(RocblasKernelsProbe, HasGapsForWhatCannotBeRead) {
  Capture capture;
  capture.folder("/opt/rocm/lib/rocblas/library").yaml("paths: {/opt/rocm/lib/rocblas/library: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "rocblas_kernels").gap_words(),
              ElementsAre("/opt/rocm/lib/rocblas/library * permission"));
}

TEST(RocblasKernelsProbe, FindsNoneWithoutRocm) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n");
  const auto table = read_table(*capture.open_image(), "rocblas_kernels");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
