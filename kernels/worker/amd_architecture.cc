// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/amd_architecture.h"

#include <charconv>
#include <fstream>
#include <map>
#include <optional>

namespace gpuharden::kernels {
namespace {

using Properties = std::map<std::string, std::uint64_t>;

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// Domain, and bus, device and function as location_id has them.
struct Location {
  std::uint64_t domain = 0, id = 0;
};
std::optional<Location> location_of(const std::string& pci) {
  const auto first = pci.find(':');
  const auto second = first == std::string::npos ? first : pci.find(':', first + 1);
  const auto dot = second == std::string::npos ? second : pci.find('.', second);
  if (dot == std::string::npos) return std::nullopt;
  const std::string_view text = pci;
  const auto domain = hexadecimal(text.substr(0, first));
  const auto bus = hexadecimal(text.substr(first + 1, second - first - 1));
  const auto device = hexadecimal(text.substr(second + 1, dot - second - 1));
  const auto function = hexadecimal(text.substr(dot + 1));
  if (!domain || !bus || !device || !function) return std::nullopt;
  return Location{*domain, (*bus << 8U) | (*device << 3U) | *function};
}

Properties read_properties(const std::string& path) {
  Properties properties;
  std::ifstream stream(path);
  std::string name;
  std::uint64_t value = 0;
  for (int lines = 0; lines < 256 && stream >> name >> value; ++lines) properties[name] = value;
  return properties;
}

}  // namespace

std::string amd_architecture_name(std::uint64_t version) {
  if (version == 0) return {};
  const auto stepping = version % 100;
  constexpr std::string_view kDigits = "0123456789abcdef";
  return "gfx" + std::to_string(version / 10000) + std::to_string(version / 100 % 100) + kDigits[stepping % 16];
}

AmdArchitecture amd_architecture_of(const std::string& pci, const std::string& topology) {
  const auto wanted = location_of(pci);
  if (!wanted) return {};
  constexpr int kMostNodes = 256;
  for (int node = 0; node < kMostNodes; ++node) {
    const auto properties = read_properties(topology + "/nodes/" + std::to_string(node) + "/properties");
    if (properties.empty()) break;
    const auto get = [&](const char* name) {
      const auto found = properties.find(name);
      return found == properties.end() ? 0 : found->second;
    };
    if (get("gfx_target_version") == 0 || get("domain") != wanted->domain || get("location_id") != wanted->id) continue;
    const auto simds = get("simd_per_cu");
    return {amd_architecture_name(get("gfx_target_version")),
            static_cast<std::uint32_t>(simds == 0 ? 0 : get("simd_count") / simds),
            static_cast<std::uint32_t>(get("max_engine_clk_fcompute"))};
  }
  return {};
}

}  // namespace gpuharden::kernels
