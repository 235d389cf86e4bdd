// SPDX-License-Identifier: GPL-2.0-or-later
// Access control lists on files where mode bits alone would hide who gets in.
#include <array>

#include "checks/accounts/accounts.h"
#include "checks/devices/device_node.h"
#include "checks/devices/posix_acl.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "a GPU node, or a file or folder of the fixed list",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"class", ColumnType::kText, "device, secret (only root should read it) or setting (only root should change it)",
     ColumnFlag::kNotNull},
    {"list", ColumnType::kText, "access, or default (what new files in a folder get)", ColumnFlag::kNotNull},
    {"entry", ColumnType::kText, "user:1000:rw-, group:render:r--; after the mask", ColumnFlag::kNotNull},
    {"is_group", ColumnType::kBoolean, "1 for a group", ColumnFlag::kNotNull},
    {"id", ColumnType::kInteger, "of the user or group", ColumnFlag::kNotNull},
    {"can_read", ColumnType::kBoolean, "the entry lets it read", ColumnFlag::kNotNull},
    {"can_write", ColumnType::kBoolean, "the entry lets it write", ColumnFlag::kNotNull},
};

struct Place {
  std::string_view pattern, file_class;
};
constexpr std::array<Place, 34> kPlaces = {{{"/etc/shadow", "secret"},
                                            {"/etc/gshadow", "secret"},
                                            {"/etc/ssh/ssh_host_*_key", "secret"},
                                            {"/root", "secret"},
                                            {"/root/.ssh", "secret"},
                                            {"/var/lib/shim-signed/mok", "secret"},
                                            {"/var/lib/shim-signed/mok/MOK.priv", "secret"},
                                            {"/var/lib/dkms/mok.key", "secret"},
                                            {"/run/docker.sock", "secret"},
                                            {"/run/containerd/containerd.sock", "secret"},
                                            {"/etc/passwd", "setting"},
                                            {"/etc/group", "setting"},
                                            {"/etc/sudoers", "setting"},
                                            {"/etc/sudoers.d", "setting"},
                                            {"/etc/ld.so.preload", "setting"},
                                            {"/etc/ld.so.conf.d", "setting"},
                                            {"/etc/environment", "setting"},
                                            {"/etc/profile", "setting"},
                                            {"/etc/profile.d", "setting"},
                                            {"/etc/bash.bashrc", "setting"},
                                            {"/etc/apt", "setting"},
                                            {"/etc/apt/keyrings", "setting"},
                                            {"/etc/apt/sources.list.d", "setting"},
                                            {"/etc/cron.d", "setting"},
                                            {"/etc/crontab", "setting"},
                                            {"/etc/docker", "setting"},
                                            {"/etc/docker/daemon.json", "setting"},
                                            {"/etc/modprobe.d", "setting"},
                                            {"/etc/udev/rules.d", "setting"},
                                            {"/etc/systemd/system", "setting"},
                                            {"/etc/nvidia-container-runtime/config.toml", "setting"},
                                            {"/etc/cdi", "setting"},
                                            {"/etc/OpenCL/vendors", "setting"},
                                            {"/usr/bin/nvidia-modprobe", "setting"}}};

class AclRows {
 public:
  explicit AclRows(TableReader& out) : out_(out), accounts_(out.shared().get<Accounts>(out.host(), &read_accounts)) {}

  void look_at(const std::string& path, std::string_view file_class) {
    const auto stat = out_.files().stat(path);
    if (!stat && stat.error().code == ErrorCode::kNotFound) return;
    if (!stat) return out_.gap(path, "*", stat.error());
    add(path, file_class, "access", "system.posix_acl_access");
    if (stat->type == FileType::kDirectory) add(path, file_class, "default", "system.posix_acl_default");
  }

 private:
  void add(const std::string& path, std::string_view file_class, std::string_view list, const char* attribute) {
    const auto bytes = out_.files().xattr(path, attribute);
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) return;
    if (!bytes) return out_.gap(path, "*", bytes.error());
    const auto entries = parse_posix_acl(*bytes);
    if (!entries) return out_.gap(path, "*", {ErrorCode::kMalformed, concat({path, ": the ACL makes no sense"})});
    for (const auto& entry : *entries) {
      if (entry.permissions == 0) continue;
      out_.row()
          .set("path", path)
          .set("class", file_class)
          .set("list", list)
          .set("entry", describe(entry))
          .set("is_group", entry.is_group)
          .set("id", entry.id)
          .set("can_read", (entry.permissions & 4U) != 0)
          .set("can_write", (entry.permissions & 2U) != 0);
    }
  }

  std::string describe(const NamedAclEntry& entry) const {
    const auto name = entry.is_group ? group_name(accounts_, entry.id) : user_name(accounts_, entry.id);
    const auto bit = [&](unsigned one, std::string_view letter) {
      return (entry.permissions & one) != 0 ? letter : "-";
    };
    return concat({entry.is_group ? "group:" : "user:", name && *name ? **name : std::to_string(entry.id), ":",
                   bit(4, "r"), bit(2, "w"), bit(1, "x")});
  }

  TableReader& out_;
  const Accounts& accounts_;
};

void read_devices(TableReader& out, AclRows& rows) {
  for (const auto folder : device_node_folders()) {
    const auto entries = out.files().list(folder);
    if (!entries && entries.error().code != ErrorCode::kNotFound) out.gap(entries.error());
    if (!entries) continue;
    for (const auto& entry : *entries) {
      if (find_device_node_kind(folder, entry.name) != nullptr && entry.type != FileType::kSymlink)
        rows.look_at(concat({folder, "/", entry.name}), "device");
    }
  }
}

void read_acls(TableReader& out) {
  AclRows rows(out);
  read_devices(out, rows);
  for (const auto& place : kPlaces) {
    std::vector<Error> errors;
    for (const auto& path : expand_glob(out.files(), place.pattern, errors, 1000)) rows.look_at(path, place.file_class);
    for (const auto& error : errors) out.gap(error);
  }
}

}  // namespace

Probe acls_probe() {
  return {{"acls",
           "Entries of POSIX access control lists that name users or groups, on GPU nodes and on a fixed list of files "
           "and folders that only root should read or change. No row where the mode bits say all.",
           kColumns},
          &read_acls};
}

}  // namespace gpuharden
