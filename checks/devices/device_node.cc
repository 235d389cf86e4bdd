// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/device_node.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

using Names = std::array<std::string_view, 3>;

// Drivers before release 555 register one "nvidia-frontend" for all three.
constexpr Names kGpu = {"nvidia", "nvidia-frontend", ""};
constexpr Names kControl = {"nvidiactl", "nvidia", "nvidia-frontend"};
constexpr Names kModeset = {"nvidia-modeset", "nvidia", "nvidia-frontend"};
constexpr std::array<std::string_view, 1> kUvm = {"nvidia-uvm"};
constexpr std::array<std::string_view, 1> kCaps = {"nvidia-caps"};
constexpr std::array<std::string_view, 1> kImex = {"nvidia-caps-imex-channels"};
constexpr std::array<std::string_view, 1> kSwitch = {"nvidia-nvswitch"};
constexpr std::array<std::string_view, 1> kLink = {"nvidia-nvlink"};
constexpr std::array<std::string_view, 1> kKfd = {"kfd"};
constexpr std::array<std::string_view, 1> kDrm = {"drm"};
constexpr std::array<std::string_view, 1> kAccel = {"accel"};

constexpr std::array<DeviceNodeKind, 14> kKinds = {{
    {"/dev", "nvidia", "#", "nvidia-gpu", kGpu},
    {"/dev", "nvidiactl", "", "nvidia-control", kControl},
    {"/dev", "nvidia-modeset", "", "nvidia-modeset", kModeset},
    {"/dev", "nvidia-uvm", "", "nvidia-uvm", kUvm},
    {"/dev", "nvidia-uvm-tools", "", "nvidia-uvm", kUvm},
    {"/dev", "nvidia-nvswitch", "#", "nvidia-nvswitch", kSwitch},
    {"/dev", "nvidia-nvswitchctl", "", "nvidia-nvswitch", kSwitch},
    {"/dev", "nvidia-nvlink", "", "nvidia-nvswitch", kLink},
    {"/dev/nvidia-caps", "nvidia-cap", "#", "nvidia-cap", kCaps},
    {"/dev/nvidia-caps-imex-channels", "channel", "#", "nvidia-imex", kImex},
    {"/dev", "kfd", "", "kfd", kKfd},
    {"/dev/dri", "card", "#", "drm-card", kDrm},
    {"/dev/dri", "renderD", "#", "drm-render", kDrm},
    {"/dev/accel", "accel", "#", "accel", kAccel},
}};

constexpr std::array<std::string_view, 5> kFolders = {"/dev", "/dev/accel", "/dev/dri", "/dev/nvidia-caps",
                                                      "/dev/nvidia-caps-imex-channels"};

bool matches(const DeviceNodeKind& kind, std::string_view name) {
  if (!name.starts_with(kind.prefix)) return false;
  const auto rest = name.substr(kind.prefix.size());
  if (kind.suffix.empty()) return rest.empty();
  return !rest.empty() && std::all_of(rest.begin(), rest.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

const DeviceNodeKind* find_device_node_kind(std::string_view folder, std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const DeviceNodeKind& kind) {
    return kind.folder == folder && matches(kind, name);
  });
  return found == kKinds.end() ? nullptr : &*found;
}

std::span<const std::string_view> device_node_folders() { return kFolders; }

}  // namespace gpuharden
