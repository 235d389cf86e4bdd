// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/gpus/pci_gpu.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {

std::optional<std::uint32_t> parse_pci_number(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("0x")) return std::nullopt;
  const auto number = parse_unsigned(text.substr(2), 16);
  if (!number || *number > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

std::string_view gpu_kind(std::uint32_t pci_class) {
  switch (pci_class >> 8U) {
    case 0x0300: return "vga";
    case 0x0302: return "3d";
    case 0x0301:
    case 0x0380: return "display";
    case 0x1200: return "accelerator";
    default: return {};
  }
}

std::string_view gpu_vendor(std::uint32_t vendor_id) {
  switch (vendor_id) {
    case 0x10de: return "nvidia";
    case 0x1002: return "amd";
    case 0x8086: return "intel";
    case 0x1da3: return "habana";
    default: return "other";
  }
}

bool is_pci_address(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() != 3 || parts[0].size() < 4 || parts[0].size() > 8 || parts[1].size() != 2) return false;
  if (parts[2].size() != 4 || parts[2][2] != '.') return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.'; });
}

}  // namespace gpuharden
