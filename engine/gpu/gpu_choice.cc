// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/gpu_choice.h"

#include <sys/random.h>

#include <algorithm>
#include <array>

#include "engine/gpu/gpu_run.h"

namespace gpuharden {

std::uint64_t random_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
    seed = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return seed;
}

std::chrono::milliseconds deadline_of(kernels::Level level) {
  // Making a context takes seconds on a machine with many GPUs and without persistence; the rest is slack.
  constexpr std::array<int, 4> kSeconds = {30, 30, 90, 600};
  return std::chrono::seconds(kSeconds.at(static_cast<std::size_t>(level)));
}

bool is_integrated(std::string_view architecture) {
  constexpr std::array<std::string_view, 9> kIntegrated = {"gfx902",  "gfx909",  "gfx90c",  "gfx1013", "gfx1033",
                                                           "gfx1035", "gfx1036", "gfx1037", "gfx1103"};
  return std::find(kIntegrated.begin(), kIntegrated.end(), architecture) != kIntegrated.end();
}

bool is_uuid(std::string_view text) {
  constexpr std::size_t kLongest = 96;
  const auto is_fine = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '/';
  };
  return !text.empty() && text.size() <= kLongest && std::all_of(text.begin(), text.end(), is_fine);
}

bool is_instance_name(std::string_view name) { return name.find(" MIG ") != std::string_view::npos; }

bool chooses_devices(const std::vector<std::string>& environment) {
  const auto narrows = [](const std::string& variable) {
    return variable.find("VISIBLE_DEVICES=") != std::string::npos || variable.starts_with("GPU_DEVICE_ORDINAL=");
  };
  return std::any_of(environment.begin(), environment.end(), narrows);
}

bool is_gpu_variable(std::string_view name) {
  constexpr std::array<std::string_view, 5> kNames = {
      "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "CUDA_DEVICE_ORDER"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || name.starts_with("HSA_ENABLE_") ||
         name.starts_with("HSA_OVERRIDE_GFX_VERSION");
}

}  // namespace gpuharden
