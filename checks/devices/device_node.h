// SPDX-License-Identifier: GPL-2.0-or-later
// Which files of /dev GPUs are used through.
#pragma once

#include <span>
#include <string_view>

namespace gpuharden {

struct DeviceNodeKind {
  std::string_view folder;
  std::string_view prefix;
  std::string_view suffix;  // "": nothing may follow, "#": digits
  std::string_view node_class;
  // Names in /proc/devices, the most exact first.
  std::span<const std::string_view> drivers;
};

// The kind of the file `name` in `folder`; nullptr when GPUs are not used through it.
const DeviceNodeKind* find_device_node_kind(std::string_view folder, std::string_view name);

// The folders that may hold such files.
std::span<const std::string_view> device_node_folders();

}  // namespace gpuharden
