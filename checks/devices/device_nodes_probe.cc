// SPDX-License-Identifier: GPL-2.0-or-later
// The files of /dev through which GPUs are used, and who may use them.
#include <algorithm>

#include "checks/accounts/accounts.h"
#include "checks/devices/device_node.h"
#include "checks/devices/nvidia_capabilities.h"
#include "checks/devices/posix_acl.h"
#include "checks/devices/proc_devices.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the file", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"class", ColumnType::kText,
     "nvidia-gpu, nvidia-control, nvidia-uvm, nvidia-modeset, nvidia-cap, nvidia-imex, nvidia-nvswitch, kfd, drm-card, "
     "drm-render, accel",
     ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "of the file itself: character device, symlink, file, …"},
    {"is_character_device", ColumnType::kBoolean, "1 for a character device"},
    {"major", ColumnType::kInteger, "device number; NULL when it is no device"},
    {"minor", ColumnType::kInteger, "device number; NULL when it is no device"},
    {"expected_major", ColumnType::kInteger,
     "of the driver that this name belongs to, from /proc/devices; NULL when the driver is not there"},
    {"major_driver", ColumnType::kText,
     "the first driver with the file's major in /proc/devices; NULL when none has it"},
    {"mode", ColumnType::kMode, "permission bits; with an ACL the group bits are its mask"},
    {"uid", ColumnType::kInteger, "owner"},
    {"gid", ColumnType::kInteger, "group"},
    {"user_name", ColumnType::kText, "the owner's name in the audited root; NULL when it has none"},
    {"group_name", ColumnType::kText, "the group's name in the audited root; NULL when it has none"},
    {"acl", ColumnType::kText,
     "entries of the ACL that name users or groups with read or write: user:1000:rw; NULL when none"},
    {"others_read", ColumnType::kBoolean, "whether every account may open it for reading"},
    {"others_write", ColumnType::kBoolean, "whether every account may open it for writing"},
    {"cap_name", ColumnType::kText,
     "what a nvidia-cap node permits, from /proc/driver/nvidia/capabilities: mig/config, mig/monitor, …; NULL for "
     "others"},
    {"cap_expected_mode", ColumnType::kMode, "the mode that the driver wants for a nvidia-cap node (DeviceFileMode)"},
};

class DeviceNodesReader {
 public:
  explicit DeviceNodesReader(TableReader& out)
      : out_(out), accounts_(out.shared().get<Accounts>(out.host(), &read_accounts)) {
    const auto devices = out.files().read("/proc/devices");
    if (devices) {
      drivers_ = parse_proc_devices(devices->bytes);
    } else {
      drivers_error_ = kernel_fact_error(out.host(), devices.error());
    }
  }

  void read_folder(std::string_view folder) {
    const auto entries = out_.files().list(folder);
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) out_.gap(entries.error());
      return;
    }
    for (const auto& entry : *entries) {
      if (const auto* kind = find_device_node_kind(folder, entry.name)) add(concat({folder, "/", entry.name}), *kind);
    }
  }

  std::size_t count() const { return count_; }

 private:
  void add(const std::string& path, const DeviceNodeKind& kind) {
    const auto stat = out_.files().lstat(path);
    if (!stat && stat.error().code == ErrorCode::kNotFound) return;
    if (!stat) return out_.gap(path, "*", stat.error());
    ++count_;
    const bool is_device = stat->type == FileType::kCharacterDevice || stat->type == FileType::kBlockDevice;
    auto row = out_.row();
    row.set("path", path)
        .set("class", kind.node_class)
        .set("type", to_string(stat->type))
        .set("is_character_device", stat->type == FileType::kCharacterDevice)
        .set("mode", stat->mode)
        .set("uid", stat->uid)
        .set("gid", stat->gid)
        .set("others_read", (stat->mode & 04U) != 0)
        .set("others_write", (stat->mode & 02U) != 0);
    if (is_device) row.set("major", stat->device_major).set("minor", stat->device_minor);
    set_drivers(row, *stat, kind);
    row.set("user_name", user_name(accounts_, stat->uid));
    row.set("group_name", group_name(accounts_, stat->gid));
    if (out_.wants("acl") && stat->type != FileType::kSymlink) row.set("acl", acl_text(path));
    if (kind.node_class == "nvidia-cap") set_capability(row, *stat);
  }

  void set_drivers(Row& row, const FileStat& stat, const DeviceNodeKind& kind) {
    if (drivers_error_) {
      row.unread("expected_major", *drivers_error_).unread("major_driver", *drivers_error_);
      return;
    }
    for (const auto name : kind.drivers) {
      const auto found =
          std::find_if(drivers_.begin(), drivers_.end(), [&](const auto& driver) { return driver.name == name; });
      if (name.empty() || found == drivers_.end()) continue;
      row.set("expected_major", found->major);
      break;
    }
    const auto owner = std::find_if(drivers_.begin(), drivers_.end(),
                                    [&](const auto& driver) { return driver.major == stat.device_major; });
    if (stat.type == FileType::kCharacterDevice && owner != drivers_.end()) row.set("major_driver", owner->name);
  }

  Result<std::optional<std::string>> acl_text(const std::string& path) const {
    const auto bytes = out_.files().xattr(path, "system.posix_acl_access");
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) return std::optional<std::string>();
    if (!bytes) return bytes.error();
    const auto entries = parse_posix_acl(*bytes);
    if (!entries) return Error{ErrorCode::kMalformed, concat({path, ": the ACL makes no sense"})};
    std::string text;
    for (const auto& entry : *entries) {
      if ((entry.permissions & 06U) == 0) continue;
      const auto name = entry.is_group ? group_name(accounts_, entry.id) : user_name(accounts_, entry.id);
      if (!text.empty()) text += ' ';
      text += concat({entry.is_group ? "group:" : "user:", name && *name ? **name : std::to_string(entry.id), ":",
                      (entry.permissions & 04U) != 0 ? "r" : "-", (entry.permissions & 02U) != 0 ? "w" : "-"});
    }
    return text.empty() ? std::nullopt : std::optional(text);
  }

  void set_capability(Row& row, const FileStat& stat) {
    const auto& capabilities = out_.shared().get<NvidiaCapabilities>(out_.host(), &read_nvidia_capabilities);
    const auto found = capabilities.by_minor.find(stat.device_minor);
    if (found != capabilities.by_minor.end()) {
      row.set("cap_name", found->second.name).set("cap_expected_mode", found->second.mode);
    } else if (!capabilities.errors.empty()) {
      row.unread("cap_name", capabilities.errors.front()).unread("cap_expected_mode", capabilities.errors.front());
    }
  }

  TableReader& out_;
  const Accounts& accounts_;
  std::vector<CharacterDriver> drivers_;
  std::optional<Error> drivers_error_;
  std::size_t count_ = 0;
};

void read_device_nodes(TableReader& out) {
  DeviceNodesReader reader(out);
  for (const auto folder : device_node_folders()) reader.read_folder(folder);
  // The nodes are made when the machine runs: that an image has none says nothing.
  if (reader.count() == 0 && out.host().kind() == HostKind::kImage) {
    out.gap({ErrorCode::kNotHeld, "/dev: an image holds no GPU nodes"});
  }
}

}  // namespace

Probe device_nodes_probe() {
  return {{"device_nodes",
           "Files of /dev through which NVIDIA and AMD GPUs and accelerators are used, with owner, mode, ACL and "
           "device numbers "
           "as lstat(2) tells.",
           kColumns},
          &read_device_nodes};
}

}  // namespace gpuharden
