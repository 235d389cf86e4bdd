// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/host/host_kernels.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/device/kernels.cc"  // NOLINT: one device source for every front end

namespace gpuharden::kernels {
namespace {

template <typename... Parameters, std::size_t... kIndex>
void call(void (*kernel)(Parameters...), void* const* arguments, std::index_sequence<kIndex...>) {
  kernel(*static_cast<Parameters*>(arguments[kIndex])...);
}

template <auto kKernel>
struct Caller;
template <typename... Parameters, void (*kKernel)(Parameters...)>
struct Caller<kKernel> {
  static void run(void* const* arguments) { call(kKernel, arguments, std::index_sequence_for<Parameters...>()); }
  static std::vector<std::size_t> sizes() { return {sizeof(Parameters)...}; }
};

struct Entry {
  std::string_view name;
  void (*run)(void* const*);
  std::vector<std::size_t> (*sizes)();
};
#define GH_ENTRY(kernel) \
  Entry { #kernel, &Caller < &kernel> ::run, &Caller < &kernel> ::sizes }
#define GH_ENTRIES(suffix)                                                                   \
  GH_ENTRY(gh_operands_##suffix), GH_ENTRY(gh_product_##suffix), GH_ENTRY(gh_rows_##suffix), \
      GH_ENTRY(gh_columns_##suffix)

constexpr std::array kEntries = {GH_ENTRIES(fp64),           GH_ENTRIES(fp32),          GH_ENTRIES(tf32),
                                 GH_ENTRIES(bf16),           GH_ENTRIES(fp16),          GH_ENTRIES(int8),
                                 GH_ENTRY(gh_set),           GH_ENTRY(gh_flip),         GH_ENTRY(gh_scatter),
                                 GH_ENTRY(gh_gather),        GH_ENTRY(gh_check_data),   GH_ENTRY(gh_bins),
                                 GH_ENTRY(gh_write_pattern), GH_ENTRY(gh_check_pattern)};

const Entry* find_entry(std::string_view kernel) {
  const auto found =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& entry) { return entry.name == kernel; });
  return found == kEntries.end() ? nullptr : &*found;
}

}  // namespace

bool run_on_host(std::string_view kernel, Grid grid, void* const* arguments) {
  const Entry* found = find_entry(kernel);
  if (found == nullptr) return false;
  for (host_block.y = 0; host_block.y < grid.y; ++host_block.y) {
    for (host_block.x = 0; host_block.x < grid.x; ++host_block.x) found->run(arguments);
  }
  return true;
}

std::vector<std::string_view> host_kernel_names() {
  std::vector<std::string_view> names;
  for (const auto& entry : kEntries) names.push_back(entry.name);
  return names;
}

std::vector<std::size_t> host_kernel_parameters(std::string_view kernel) {
  const Entry* found = find_entry(kernel);
  return found == nullptr ? std::vector<std::size_t>() : found->sizes();
}

}  // namespace gpuharden::kernels
