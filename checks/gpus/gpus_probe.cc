// SPDX-License-Identifier: GPL-2.0-or-later
// The GPUs that are plugged in, whether or not a driver knows them.
#include <algorithm>

#include "checks/gpus/nvidia_information.h"
#include "checks/gpus/pci_gpu.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kDevices = "/sys/bus/pci/devices";
constexpr std::size_t kSmallFile = 4096;

constexpr Column kColumns[] = {
    {"address", ColumnType::kText, "PCI address: 0000:33:00.0", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"vendor", ColumnType::kText, "nvidia, amd, intel, habana, or other: the display of a management controller"},
    {"vendor_id", ColumnType::kText, "four hexadecimal digits"},
    {"device_id", ColumnType::kText, "four hexadecimal digits"},
    {"kind", ColumnType::kText, "vga, 3d, display or accelerator, by the PCI class", ColumnFlag::kNotNull},
    {"driver", ColumnType::kText, "the kernel driver that has it: nvidia, amdgpu, vfio-pci, …; NULL for none"},
    {"model", ColumnType::kText,
     "NVIDIA: its name, from the driver. AMD: product_name, which only accelerators have; NULL when not told"},
    {"is_virtual_function", ColumnType::kBoolean, "1 for a part of a GPU that was split by SR-IOV"},
    {"virtual_functions", ColumnType::kInteger, "into how many parts SR-IOV splits it now; NULL when it cannot"},
    {"numa_node", ColumnType::kInteger, "memory node; NULL when the firmware does not say"},
    {"iommu_group", ColumnType::kInteger, "NULL when no IOMMU stands before it"},
    {"iommu_type", ColumnType::kText,
     "DMA and DMA-FQ: it reaches only memory that was mapped for it. identity: all memory. NULL when no IOMMU stands "
     "before it or the kernel does not say"},
    {"render_node", ColumnType::kPath, "/dev/dri/renderDN; NULL when it has none"},
    {"known_to_driver", ColumnType::kBoolean,
     "NVIDIA: whether the driver lists it in /proc/driver/nvidia/gpus. AMD: whether it has a render node. NULL for "
     "others, and with another driver, as vfio-pci"},
    {"nvidia_minor", ColumnType::kInteger, "N of /dev/nvidiaN; NULL for others"},
    {"nvidia_firmware", ColumnType::kVersion, "firmware of the GPU System Processor; NULL when it is not used"},
    {"nvidia_excluded", ColumnType::kBoolean, "1 when a parameter of the module takes it out of use"},
};

std::string four_digits(std::uint32_t number) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned shift = 16; shift > 0; shift -= 4) text += kDigits[(number >> (shift - 4)) & 0xfU];
  return text;
}

class GpuReader {
 public:
  explicit GpuReader(TableReader& out) : out_(out) {}

  void read(const std::string& address) {
    const std::string folder = concat({kDevices, "/", address});
    const auto pci_class = number(folder, "class");
    if (!pci_class) return out_.gap(address, "*", pci_class.error());
    if (!*pci_class || gpu_kind(**pci_class).empty()) return;
    Row row = out_.row();
    row.set("address", address).set("kind", gpu_kind(**pci_class));
    set_vendor(row, folder);
    set_driver(row, folder);
    set_functions(row, folder);
    set_iommu(row, folder);
    set_render_node(row, folder);
    if (vendor_ == "nvidia") set_nvidia(row, address);
    if (vendor_ == "amd") set_amd(row, folder);
  }

 private:
  // Nothing when there is no such file or no such number in it.
  Result<std::optional<std::string>> text(const std::string& folder, std::string_view name) const {
    const auto file = out_.files().read(concat({folder, "/", name}), kSmallFile);
    if (file) return std::optional(std::string(trim(file->bytes)));
    if (file.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
    return file.error();
  }

  Result<std::optional<std::uint32_t>> number(const std::string& folder, std::string_view name) const {
    GH_ASSIGN_OR_RETURN(const auto found, text(folder, name));
    return found ? parse_pci_number(*found) : std::nullopt;
  }

  void set_vendor(Row& row, const std::string& folder) {
    const auto vendor = number(folder, "vendor");
    if (vendor && *vendor) {
      vendor_ = gpu_vendor(**vendor);
      row.set("vendor", vendor_).set("vendor_id", four_digits(**vendor));
    } else {
      const Error error =
          vendor ? Error{ErrorCode::kMalformed, concat({folder, "/vendor: no number"})} : vendor.error();
      row.unread("vendor", error).unread("vendor_id", error).unread("known_to_driver", error);
    }
    const auto device = number(folder, "device");
    if (!device) row.unread("device_id", device.error());
    if (device && *device) row.set("device_id", four_digits(**device));
  }

  // The last part of a link's text; nothing when there is no such link.
  std::optional<std::string> link_name(Row& row, const std::string& path, std::string_view column) const {
    const auto link = out_.files().read_link(path);
    if (link) return link->substr(link->rfind('/') + 1);
    if (link.error().code != ErrorCode::kNotFound) row.unread(column, link.error());
    return std::nullopt;
  }

  void set_driver(Row& row, const std::string& folder) {
    driver_ = link_name(row, folder + "/driver", "driver");
    row.set("driver", driver_);
  }

  void set_functions(Row& row, const std::string& folder) const {
    const auto whole = out_.files().lstat(folder + "/physfn");
    const bool is_unknown = !whole && whole.error().code != ErrorCode::kNotFound;
    is_unknown ? row.unread("is_virtual_function", whole.error()) : row.set("is_virtual_function", whole.has_value());
    const auto parts = text(folder, "sriov_numvfs");
    if (!parts) row.unread("virtual_functions", parts.error());
    if (parts && *parts) {
      if (const auto count = parse_unsigned(**parts)) row.set("virtual_functions", *count);
    }
    const auto node = text(folder, "numa_node");
    if (!node) row.unread("numa_node", node.error());
    // -1 where the firmware does not say.
    if (node && *node) {
      if (const auto number = parse_unsigned(**node)) row.set("numa_node", *number);
    }
  }

  void set_iommu(Row& row, const std::string& folder) const {
    const auto group = link_name(row, folder + "/iommu_group", "iommu_group");
    const auto number = group ? parse_unsigned(*group) : std::nullopt;
    if (!number) return;
    row.set("iommu_group", *number);
    const auto type = text(concat({"/sys/kernel/iommu_groups/", std::to_string(*number)}), "type");
    if (!type) row.unread("iommu_type", type.error());
    if (type) row.set("iommu_type", *type);
  }

  void set_render_node(Row& row, const std::string& folder) {
    const auto entries = out_.files().list(folder + "/drm");
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) row.unread("render_node", entries.error());
      return;
    }
    const auto found = std::find_if(entries->begin(), entries->end(),
                                    [](const auto& entry) { return entry.name.starts_with("renderD"); });
    if (found == entries->end()) return;
    has_render_node_ = true;
    row.set("render_node", concat({"/dev/dri/", found->name}));
  }

  void set_nvidia(Row& row, const std::string& address) {
    const auto file = out_.files().read(concat({"/proc/driver/nvidia/gpus/", address, "/information"}), kSmallFile);
    if (!file && file.error().code != ErrorCode::kNotFound) {
      for (const auto* column : {"known_to_driver", "model", "nvidia_minor", "nvidia_firmware", "nvidia_excluded"})
        row.unread(column, file.error());
      return;
    }
    if (file || !driver_ || *driver_ == "nvidia") row.set("known_to_driver", file.has_value());
    if (!file) return;
    const auto information = parse_nvidia_information(file->bytes);
    row.set("model", information.model)
        .set("nvidia_minor", information.minor)
        .set("nvidia_firmware", information.firmware)
        .set("nvidia_excluded", information.is_excluded);
  }

  void set_amd(Row& row, const std::string& folder) {
    if (!driver_ || *driver_ == "amdgpu") row.set("known_to_driver", has_render_node_);
    const auto product = text(folder, "product_name");
    if (!product) row.unread("model", product.error());
    if (product && *product && !(*product)->empty()) row.set("model", **product);
  }

  TableReader& out_;
  std::string_view vendor_;
  std::optional<std::string> driver_;
  bool has_render_node_ = false;
};

void read_gpus(TableReader& out) {
  const auto entries = out.files().list(kDevices);
  if (!entries) {
    // A kernel without PCI has no such folder; a tree without /sys tells nothing.
    const bool has_no_pci = entries.error().code == ErrorCode::kNotFound && out.host().kind() != HostKind::kImage &&
                            out.files().stat("/sys/bus").has_value();
    if (!has_no_pci) out.gap(kernel_fact_error(out.host(), entries.error()));
    return;
  }
  for (const auto& entry : *entries) {
    if (is_pci_address(entry.name)) GpuReader(out).read(entry.name);
  }
}

}  // namespace

Probe gpus_probe() {
  return {{"gpus",
           "GPUs and accelerators on the PCI bus, with what the kernel and the vendor's driver know of each. "
           "Management controllers' displays are among them, with vendor other.",
           kColumns},
          &read_gpus};
}

}  // namespace gpuharden
