// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/amd/gpu_kernels.h"

#include <algorithm>

namespace gpuharden {
namespace {

constexpr std::string_view kPrefix = "gfx";
constexpr std::size_t kMaxDigits = 5;

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

bool is_kernel_file(std::string_view name) {
  return name.ends_with(".dat") || name.ends_with(".co") || name.ends_with(".hsaco");
}

}  // namespace

bool is_architecture(std::string_view text) {
  if (!text.starts_with(kPrefix)) return false;
  const auto digits = text.substr(kPrefix.size());
  return digits.size() >= 3 && digits.size() <= kMaxDigits && std::all_of(digits.begin(), digits.end(), is_hexadecimal);
}

std::optional<std::string> kernel_architecture(std::string_view file_name) {
  const auto at = file_name.rfind(kPrefix);
  if (at == std::string_view::npos || !is_kernel_file(file_name)) return std::nullopt;
  auto end = at + kPrefix.size();
  while (end < file_name.size() && is_hexadecimal(file_name[end])) ++end;
  const auto name = file_name.substr(at, end - at);
  return is_architecture(name) ? std::optional(std::string(name)) : std::nullopt;
}

}  // namespace gpuharden
