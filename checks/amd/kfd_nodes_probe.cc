// SPDX-License-Identifier: GPL-2.0-or-later
// The nodes of the kernel's compute topology: which AMD GPUs there are, without asking any tool.
#include <algorithm>

#include "checks/amd/kfd_topology.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"node", ColumnType::kInteger, "number of the node: what HSA_OVERRIDE_GFX_VERSION_N means; processors come first",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "what the driver calls it; empty for processors"},
    {"is_gpu", ColumnType::kBoolean, "whether it has SIMD units; an APU has processor cores as well"},
    {"gfx", ColumnType::kText, "the GPU's instruction set: gfx1201; NULL for processors"},
    {"gfx_target_version", ColumnType::kInteger, "the same as the kernel writes it, decimal MMmmss: 120001"},
    {"simd_count", ColumnType::kInteger, "SIMD units; 0 for processors"},
    {"cpu_cores_count", ColumnType::kInteger, "processor cores; 0 for GPUs of their own"},
    {"vendor_id", ColumnType::kInteger, "PCI vendor; 4098 is AMD"},
    {"device_id", ColumnType::kInteger, "PCI device"},
    {"drm_render_minor", ColumnType::kInteger, "its node is /dev/dri/renderD<minor>; NULL or 0 for processors"},
    {"unique_id", ColumnType::kText, "the GPU's own number, sixteen hexadecimal digits; NULL when it has none"},
};

constexpr std::string_view kNodes = "/sys/class/kfd/kfd/topology/nodes";
constexpr std::string_view kFolder = "/sys/class";
constexpr std::size_t kMaxNodes = 4096;

std::string hexadecimal(std::uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(16, '0');
  for (auto place = text.rbegin(); value != 0; ++place, value /= 16) *place = kDigits[value % 16];
  return text;
}

std::optional<std::string> unique_id(const KfdProperties& properties) {
  const auto value = properties.find("unique_id");
  return value && *value != 0 ? std::optional(hexadecimal(*value)) : std::nullopt;
}

void set_properties(Row& row, const KfdProperties& properties) {
  const auto version = properties.find("gfx_target_version");
  const auto simd_count = properties.find("simd_count");
  row.set("gfx", version ? gfx_name(*version) : std::nullopt).set("gfx_target_version", version);
  row.set("simd_count", simd_count).set("unique_id", unique_id(properties));
  if (simd_count) row.set("is_gpu", *simd_count > 0);
  for (const auto* name : {"cpu_cores_count", "vendor_id", "device_id", "drm_render_minor"})
    row.set(name, properties.find(name));
}

void read_node(TableReader& out, std::uint64_t number) {
  const std::string folder = concat({kNodes, "/", std::to_string(number)});
  const auto name = out.files().read(concat({folder, "/name"}));
  const auto file = out.files().read(concat({folder, "/properties"}));
  auto row = out.row();
  row.set("node", number);
  if (name) row.set("name", trim(name->bytes));
  if (!name && name.error().code != ErrorCode::kNotFound) row.unread("name", name.error());
  if (!file) {
    for (const auto* column : {"is_gpu", "gfx", "gfx_target_version", "simd_count", "cpu_cores_count", "vendor_id",
                               "device_id", "drm_render_minor", "unique_id"})
      row.unread(column, file.error());
    return;
  }
  const auto properties = parse_kfd_properties(file->bytes);
  set_properties(row, properties);
  if (!properties.malformed && !file->truncated) return;
  out.gap(std::to_string(number), "*", {ErrorCode::kMalformed, concat({folder, "/properties: not \"name number\""})});
}

void read_kfd_nodes(TableReader& out) {
  const auto entries = out.files().list(kNodes);
  if (!entries) {
    // Without the compute driver there are no nodes; that is known only where the kernel's folder is.
    const bool is_absent = entries.error().code == ErrorCode::kNotFound && out.host().kind() != HostKind::kImage;
    const auto around = out.files().stat(kFolder);
    if (!is_absent) return out.gap(kernel_fact_error(out.host(), entries.error()));
    if (!around) out.gap(kernel_fact_error(out.host(), around.error()));
    return;
  }
  std::vector<std::uint64_t> numbers;
  for (const auto& entry : *entries) {
    if (const auto number = parse_unsigned(entry.name)) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  if (numbers.size() > kMaxNodes) {
    numbers.resize(kMaxNodes);
    out.gap({ErrorCode::kTooLarge, concat({kNodes, ": too many nodes"})});
  }
  for (const auto number : numbers) read_node(out, number);
}

}  // namespace

Probe kfd_nodes_probe() {
  return {
      {"kfd_nodes",
       "The nodes of the kernel's compute topology (/sys/class/kfd): processors and AMD GPUs. No row without amdkfd.",
       kColumns},
      &read_kfd_nodes};
}

}  // namespace gpuharden
