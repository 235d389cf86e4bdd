// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/files/file_capabilities.h"

#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// linux/capability.h
constexpr std::array<std::string_view, 41> kNames = {"chown",
                                                     "dac_override",
                                                     "dac_read_search",
                                                     "fowner",
                                                     "fsetid",
                                                     "kill",
                                                     "setgid",
                                                     "setuid",
                                                     "setpcap",
                                                     "linux_immutable",
                                                     "net_bind_service",
                                                     "net_broadcast",
                                                     "net_admin",
                                                     "net_raw",
                                                     "ipc_lock",
                                                     "ipc_owner",
                                                     "sys_module",
                                                     "sys_rawio",
                                                     "sys_chroot",
                                                     "sys_ptrace",
                                                     "sys_pacct",
                                                     "sys_admin",
                                                     "sys_boot",
                                                     "sys_nice",
                                                     "sys_resource",
                                                     "sys_time",
                                                     "sys_tty_config",
                                                     "mknod",
                                                     "lease",
                                                     "audit_write",
                                                     "audit_control",
                                                     "setfcap",
                                                     "mac_override",
                                                     "mac_admin",
                                                     "syslog",
                                                     "wake_alarm",
                                                     "block_suspend",
                                                     "audit_read",
                                                     "perfmon",
                                                     "bpf",
                                                     "checkpoint_restore"};

// Little-endian on every machine.
std::uint32_t word_at(std::string_view bytes, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i)
    word |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[4 * index + i])) << (8 * i);
  return word;
}

}  // namespace

std::optional<FileCapabilities> parse_file_capabilities(std::string_view bytes) {
  if (bytes.size() < 4) return std::nullopt;
  const auto magic = word_at(bytes, 0);
  const auto version = magic >> 24U;
  const std::size_t words = version == 1 ? 3 : version == 2 ? 5 : version == 3 ? 6 : 0;
  if (words == 0 || bytes.size() != 4 * words) return std::nullopt;
  FileCapabilities out;
  out.effective = (magic & 1U) != 0;
  out.permitted = word_at(bytes, 1);
  if (version >= 2) out.permitted |= static_cast<std::uint64_t>(word_at(bytes, 3)) << 32U;
  if (version == 3) out.root_id = word_at(bytes, 5);
  return out;
}

std::vector<std::string> capability_names(std::uint64_t capabilities) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 64; ++i) {
    if ((capabilities >> i & 1U) == 0) continue;
    names.push_back(i < kNames.size() ? concat({"cap_", kNames[i]}) : concat({"cap_", std::to_string(i)}));
  }
  return names;
}

}  // namespace gpuharden
