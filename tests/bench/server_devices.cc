// SPDX-License-Identifier: GPL-2.0-or-later
// The GPUs of the made-up server as /dev, /proc and /sys show them.
#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

std::string character_device(std::size_t major, std::size_t minor, std::string_view mode, std::size_t gid) {
  return concat({"type: char, mode: \"", mode, "\", gid: ", std::to_string(gid), ", major: ", std::to_string(major),
                 ", minor: ", std::to_string(minor)});
}

std::string pci_address(std::size_t number) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  return concat({"0000:", kDigits.substr(number / 16 % 16, 1), kDigits.substr(number % 16, 1), ":00.0"});
}

void write_nodes(TreeWriter& tree, std::size_t gpus) {
  for (std::size_t i = 0; i < gpus; ++i) {
    tree.facts(numbered("/dev/nvidia", i), character_device(195, i, "0660", 44));
    tree.facts(numbered("/dev/dri/card", i), character_device(226, i, "0660", 44));
    tree.facts(numbered("/dev/dri/renderD", 128 + i), character_device(226, 128 + i, "0660", 109));
  }
  tree.facts("/dev/nvidiactl", character_device(195, 255, "0660", 44));
  tree.facts("/dev/nvidia-modeset", character_device(195, 254, "0660", 44));
  tree.facts("/dev/nvidia-uvm", character_device(508, 0, "0660", 44));
  tree.facts("/dev/nvidia-uvm-tools", character_device(508, 1, "0660", 44));
  tree.facts("/dev/nvidia-caps/nvidia-cap1", character_device(511, 1, "0400", 0));
  tree.facts("/dev/nvidia-caps/nvidia-cap2", character_device(511, 2, "0444", 0));
  tree.facts("/dev/null", character_device(1, 3, "0666", 0));
  tree.facts("/dev/mem", character_device(1, 1, "0640", 15));
}

void write_gpu(TreeWriter& tree, std::size_t number) {
  const std::string address = pci_address(number + 16);
  tree.file(
      concat({"/proc/driver/nvidia/gpus/", address, "/information"}),
      concat({"Model: \t\t NVIDIA H200\nIRQ:   \t\t 300\nGPU UUID: \t GPU-", identity(address).substr(0, 32),
              "\nVideo BIOS: \t 96.00.d0.00.01\nBus Type: \t PCIe\nDevice Minor: \t ", std::to_string(number), "\n"}));
  const std::string device = concat({"/sys/bus/pci/devices/", address});
  tree.file(device + "/vendor", "0x10de\n");
  tree.file(device + "/device", "0x2335\n");
  tree.file(device + "/class", "0x030200\n");
  tree.file(device + "/enable", "1\n");
  tree.link(device + "/driver", "../../../bus/pci/drivers/nvidia");
  tree.file(concat({"/sys/class/drm/card", std::to_string(number), "/dev"}),
            concat({"226:", std::to_string(number), "\n"}));
}

void write_driver(TreeWriter& tree) {
  tree.file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build  (made@up)\n");
  tree.file(
      "/proc/driver/nvidia/params",
      "ResmanDebugLevel: 4294967295\nModifyDeviceFiles: 1\nDeviceFileUID: 0\nDeviceFileGID: 44\nDeviceFileMode: 432\n"
      "RmProfilingAdminOnly: 1\nEnableMSI: 1\nRegistryDwords: \"\"\n");
  tree.file("/proc/driver/nvidia-caps/mig-minors", "config 1\nmonitor 2\n");
  tree.file(
      "/proc/devices",
      "Character devices:\n  1 mem\n  5 /dev/tty\n195 nvidia-frontend\n226 drm\n508 nvidia-uvm\n511 nvidia-caps\n\n"
      "Block devices:\n259 blkext\n");
}

}  // namespace

void write_gpus(TreeWriter& tree, const ServerSize& size) {
  write_nodes(tree, size.gpus);
  write_driver(tree);
  for (std::size_t i = 0; i < size.gpus; ++i) write_gpu(tree, i);
  // Network cards, disks and bridges stand beside them on the bus.
  for (std::size_t i = 0; i < 60; ++i) {
    const std::string device = concat({"/sys/bus/pci/devices/", pci_address(i + 64)});
    tree.file(device + "/vendor", "0x8086\n");
    tree.file(device + "/device", "0x352a\n");
    tree.file(device + "/class", "0x060400\n");
  }
}

}  // namespace gpuharden::test
