// SPDX-License-Identifier: GPL-2.0-or-later
// What udev rules make of the GPU nodes when these appear.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/devices/udev_rule.h"

namespace gpuharden {

// A device as udev sees it when it is added.
struct UdevDevice {
  std::string_view node_class;  // as in device_nodes: kfd, drm-render, …
  std::string_view path;        // its node
  std::string_view kernel;      // its name in sysfs
  std::string_view subsystem;
  std::string_view major;  // a number that it could have
};
// One example of each kind of GPU node.
std::span<const UdevDevice> udev_gpu_devices();

enum class Certainty : std::uint8_t { kNo, kMaybe, kYes };

// Whether the rule's conditions hold for the device: kMaybe where one of them asks for what is not
// known here (attributes, parents, programs).
Certainty matches_device(const UdevRule& rule, const UdevDevice& device);

// What the rule of a file with that position does for a device.
struct UdevEffect {
  const UdevRule* rule = nullptr;
  Certainty certainty = Certainty::kNo;
};
// The rules of one file that take effect for the device, GOTO followed, in order.
std::vector<UdevEffect> run_udev_rules(std::span<const UdevRule> rules, const UdevDevice& device);

// "0660" or "660": octal digits, nothing for anything else.
std::optional<std::uint32_t> udev_mode(std::string_view text);

}  // namespace gpuharden
