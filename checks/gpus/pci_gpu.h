// SPDX-License-Identifier: GPL-2.0-or-later
// What PCI says about a device, as far as GPUs are concerned.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuharden {

// "0x030200\n" as a number; nothing for other text. Also for vendor, device and the like.
std::optional<std::uint32_t> parse_pci_number(std::string_view text);

// "vga", "3d", "display" or "accelerator" of a class; "" for devices that are no GPUs.
std::string_view gpu_kind(std::uint32_t pci_class);

// "nvidia", "amd", "intel", "habana" or "other": boards' management controllers show displays too.
std::string_view gpu_vendor(std::uint32_t vendor_id);

// Whether text is a full PCI address: 0000:33:00.0, a longer domain included.
bool is_pci_address(std::string_view text);

}  // namespace gpuharden
