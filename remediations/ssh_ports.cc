// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/ssh_ports.h"

#include <string_view>
#include <unordered_set>

#include "checks/network/host_sockets.h"
#include "checks/network/socket_owners.h"
#include "checks/process/process_facts.h"
#include "checks/ssh/sshd_settings.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint16_t kDefaultPort = 22;

// "2222", "10.20.0.5:2222", "[::]:22": what stands behind the last colon, or all of it.
void add_port(std::string_view text, std::set<std::uint16_t>& ports) {
  const auto colon = text.rfind(':');
  const auto number = parse_unsigned(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (number && *number > 0 && *number <= 65535) ports.insert(static_cast<std::uint16_t>(*number));
}

void add_configured(const Files& files, std::set<std::uint16_t>& ports) {
  for (const auto& setting : read_sshd_settings(files, "/etc/ssh/sshd_config").settings) {
    const bool names_port =
        equals_ignore_case(setting.option, "port") || equals_ignore_case(setting.option, "listenaddress");
    if (!names_port || setting.words.empty()) continue;
    // An address alone, without a port, names none.
    if (setting.option.size() > 4 && setting.words[0].find(':') == std::string::npos) continue;
    add_port(setting.words[0], ports);
  }
}

void add_of_sockets(const Host& host, SharedFacts& shared, std::set<std::uint16_t>& ports) {
  for (const auto* name : {"ssh.socket", "sshd.socket"}) {
    const Unit* unit = unit_set(host, shared).find(name);
    if (unit == nullptr) continue;
    for (const auto* setting : settings_of(*unit, "Socket", "ListenStream")) add_port(setting->value, ports);
  }
}

void add_held(const Host& host, std::set<std::uint16_t>& ports) {
  const ProcessFacts facts(host);
  const auto sockets = read_host_sockets(host);
  std::unordered_set<std::uint64_t> inodes;
  for (const auto& socket : sockets.sockets) inodes.insert(socket.socket.inode);
  const auto owners = find_socket_owners(facts, facts.processes(), std::move(inodes));
  for (const auto& socket : sockets.sockets) {
    const auto owner = owners.by_inode.find(socket.socket.inode);
    if (owner == owners.by_inode.end() || socket.protocol != "tcp") continue;
    const auto& name = facts.name(owner->second);
    if (name && name->starts_with("sshd")) ports.insert(socket.socket.local_port);
  }
}

}  // namespace

std::set<std::uint16_t> ssh_ports(const Host& host, SharedFacts& shared) {
  std::set<std::uint16_t> ports = {kDefaultPort};
  add_configured(host.files(), ports);
  add_of_sockets(host, shared, ports);
  add_held(host, ports);
  return ports;
}

}  // namespace gpuharden
