// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/gpus/nvidia_information.h"
#include "checks/gpus/pci_gpu.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PciGpu, KnowsClassesVendorsAndAddresses) {
  EXPECT_EQ(gpu_kind(0x030200), "3d");
  EXPECT_EQ(gpu_kind(0x120000), "accelerator");
  EXPECT_EQ(gpu_kind(0x068000), "");
  EXPECT_EQ(gpu_vendor(0x1a03), "other");
  EXPECT_EQ(parse_pci_number("0x10de\n"), 0x10deU);
  EXPECT_EQ(parse_pci_number("10de"), std::nullopt);
  EXPECT_EQ(parse_pci_number("0xfffffffff"), std::nullopt);
  EXPECT_TRUE(is_pci_address("0000:33:00.0"));
  EXPECT_TRUE(is_pci_address("10000:e1:00.0"));
  EXPECT_FALSE(is_pci_address("../../etc"));
  EXPECT_FALSE(is_pci_address("0000:33:00/0"));
}

TEST(NvidiaInformation, ReadsWhatItKnows) {
  const auto information = parse_nvidia_information(
      "Model: \t\t NVIDIA H200\nIRQ:   \t\t 150\nDevice Minor: \t 3\nGPU Firmware: \t N/A\nGPU Excluded:\t No\n");
  EXPECT_EQ(information.model, "NVIDIA H200");
  EXPECT_EQ(information.minor, 3U);
  EXPECT_EQ(information.firmware, std::nullopt);
  EXPECT_EQ(information.is_excluded, false);
  EXPECT_EQ(parse_nvidia_information("Device Minor: 99999999999\n:\n::").minor, std::nullopt);
}

class GpusProbe : public testing::Test {
 protected:
  void device(const std::string& address, const std::string& vendor, const std::string& pci_class) {
    capture_.file("/sys/bus/pci/devices/" + address + "/vendor", vendor)
        .file("/sys/bus/pci/devices/" + address + "/device", "0x2335\n")
        .file("/sys/bus/pci/devices/" + address + "/class", pci_class);
  }
  Capture capture_;
};

TEST_F(GpusProbe, TellsWhatDriverAndBusKnow) {
  device("0000:33:00.0", "0x10de\n", "0x030200\n");
  device("0000:34:00.0", "0x10de\n", "0x068000\n");
  capture_.link("/sys/bus/pci/devices/0000:33:00.0/driver", "../../../../bus/pci/drivers/nvidia")
      .link("/sys/bus/pci/devices/0000:33:00.0/iommu_group", "../../../kernel/iommu_groups/17")
      .file("/sys/kernel/iommu_groups/17/type", "DMA-FQ\n")
      .file("/sys/bus/pci/devices/0000:33:00.0/numa_node", "1\n")
      .folder("/sys/bus/pci/devices/0000:33:00.0/drm/renderD129")
      .file("/proc/driver/nvidia/gpus/0000:33:00.0/information", "Model: NVIDIA H200\nDevice Minor: 1\n");
  const auto table = read_table(*capture_.open(), "gpus");
  ASSERT_EQ(table.rows.size(), 1U);
  const auto& row = table.rows[0];
  EXPECT_EQ(row.at("vendor"), "nvidia");
  EXPECT_EQ(row.at("device_id"), "2335");
  EXPECT_EQ(row.at("driver"), "nvidia");
  EXPECT_EQ(row.at("iommu_group"), "17");
  EXPECT_EQ(row.at("iommu_type"), "DMA-FQ");
  EXPECT_EQ(row.at("numa_node"), "1");
  EXPECT_EQ(row.at("render_node"), "/dev/dri/renderD129");
  EXPECT_EQ(row.at("known_to_driver"), "1");
  EXPECT_EQ(row.at("nvidia_minor"), "1");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST_F(GpusProbe, SaysWhenTheDriverDoesNotKnowIt) {
  device("0000:8b:00.0", "0x10de\n", "0x030200\n");
  device("0000:8c:00.0", "0x1002\n", "0x120000\n");
  device("0000:8d:00.0", "0x10de\n", "0x030200\n");
  capture_.link("/sys/bus/pci/devices/0000:8d:00.0/driver", "../../../../bus/pci/drivers/vfio-pci");
  const auto table = read_table(*capture_.open(), "gpus");
  EXPECT_EQ(table.where("address", "0000:8b:00.0").at("known_to_driver"), "0");
  EXPECT_EQ(table.where("address", "0000:8c:00.0").at("known_to_driver"), "0");
  EXPECT_EQ(table.where("address", "0000:8d:00.0").at("known_to_driver"), "NULL");
}

TEST_F(GpusProbe, HasGapsForWhatCannotBeRead) {
  device("0000:33:00.0", "0x10de\n", "0x030200\n");
  capture_.yaml("paths: {/proc/driver/nvidia/gpus/0000:33:00.0/information: {error: permission}}");
  EXPECT_EQ(read_table(*capture_.open(), "gpus").rows.at(0).at("known_to_driver"), "UNREAD");
}

TEST_F(GpusProbe, TakesHostileBytesForWhatTheyAre) {
  device("0000:33:00.0", "\xff\xfe", "0x030200");
  device("0000:34:00.0", "0x10de", "");
  const auto table = read_table(*capture_.open(), "gpus");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("vendor"), "UNREAD");
}

TEST_F(GpusProbe, NeedsAKernel) {
  capture_.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture_.open(), "gpus").gap_words(), ElementsAre("* * not-found"));
  EXPECT_THAT(read_table(*capture_.open_image(), "gpus").gap_words(), ElementsAre("* * not-held"));
}

TEST_F(GpusProbe, FindsNoneWhereThereIsNoPci) {
  capture_.folder("/sys/bus/cpu");
  const auto table = read_table(*capture_.open(), "gpus");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
