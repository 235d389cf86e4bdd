// SPDX-License-Identifier: GPL-2.0-or-later
// The tables of GPU computation, as an audit of a live machine gets them.
#include "engine/gpu/gpu_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/capture.h"
#include "tests/support/program.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;

std::string cell_text(const TableData& data, std::size_t row, std::string_view table, std::string_view column) {
  const auto& columns = find_probe(table)->schema.columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == column) return key_text(data.cell(row, i));
  }
  return "no such column";
}

class GpuSourceTest : public testing::Test {
 protected:
  GpuSourceTest() {
    options_.level = kernels::Level::kTiny;
    options_.vendor = "hip";
    options_.worker = (fs::path(program_path()).parent_path() / "gpu-worker").string();
    options_.library = folder_.path() + "/good.so";
    fs::create_symlink(fs::path(program_path()).parent_path() / "tests/gpu_driver/libtest_gpu_driver.so",
                       options_.library);
  }

  std::unique_ptr<TableData> read(const char* table) { return source().read({find_probe(table), {}, {}}); }
  GpuSource& source() {
    if (!source_) source_.emplace(direct_, options_);
    return *source_;
  }

  TemporaryFolder folder_;
  Capture capture_;
  std::unique_ptr<Host> host_ = capture_.open();
  DirectSource direct_{*host_};
  GpuRunOptions options_;
  std::optional<GpuSource> source_;
};

TEST_F(GpuSourceTest, AsksTheGpusAndHasARowForEach) {
  const auto devices = read("gpu_devices");
  ASSERT_EQ(devices->row_count(), 1U);
  EXPECT_TRUE(devices->gaps().empty());
  EXPECT_EQ(cell_text(*devices, 0, "gpu_devices", "device"), "hip 0");
  EXPECT_EQ(cell_text(*devices, 0, "gpu_devices", "outcome"), "pass");
  EXPECT_EQ(read("gpu_compute")->row_count(), 10U);
}

TEST_F(GpuSourceTest, AsksThemOnce) {
  const auto first = read("gpu_compute");
  fs::remove(options_.library);
  EXPECT_EQ(read("gpu_devices")->row_count(), 1U);
}

TEST_F(GpuSourceTest, HasARowForADriverThatRefuses) {
  fs::rename(options_.library, folder_.path() + "/init-802.so");
  options_.library = folder_.path() + "/init-802.so";
  const auto devices = read("gpu_devices");
  ASSERT_EQ(devices->row_count(), 1U);
  EXPECT_EQ(cell_text(*devices, 0, "gpu_devices", "device"), "hip");
  EXPECT_EQ(cell_text(*devices, 0, "gpu_devices", "reason"), "fabric");
}

TEST_F(GpuSourceTest, LeavesACaptureItsOwnAnswer) {
  GpuSource of_capture(direct_, std::nullopt);
  const auto devices = of_capture.read({find_probe("gpu_devices"), {}, {}});
  ASSERT_EQ(devices->gaps().size(), 1U);
  EXPECT_EQ(devices->gaps().front().cause, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace gpuharden::test
