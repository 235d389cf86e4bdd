// SPDX-License-Identifier: GPL-2.0-or-later
// What listens in other network namespaces: internal to containers, unless something publishes it.
#include <map>

#include "checks/network/host_sockets.h"
#include "checks/network/inet_address.h"
#include "checks/network/socket_owners.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxNamespaces = 10000;

constexpr Column kColumns[] = {
    {"network_namespace", ColumnType::kText, "net:[inode]", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"socket", ColumnType::kText, "protocol, address and port as in listening_sockets", ColumnFlag::kNotNull},
    {"protocol", ColumnType::kText, "tcp or udp", ColumnFlag::kNotNull},
    {"address", ColumnType::kText, "the local address inside the namespace", ColumnFlag::kNotNull},
    {"port", ColumnType::kInteger, "the local port inside the namespace", ColumnFlag::kNotNull},
    {"exposure", ColumnType::kText, "\"container-internal\": not the host's exposure by itself", ColumnFlag::kNotNull},
    {"bound_to", ColumnType::kText, "inside the namespace: loopback, wildcard, link-local or specific",
     ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "the user who made the socket, as the host numbers it", ColumnFlag::kNotNull},
    {"pid", ColumnType::kInteger, "the process that holds it; NULL when none in the namespace does"},
    {"process", ColumnType::kText, "its command name"},
    {"container", ColumnType::kText, "its container id, or that of another process of the namespace"},
    {"unit", ColumnType::kText, "its systemd service or scope"},
    {"gpu_handles", ColumnType::kInteger, "GPU nodes that it holds open"},
};

class ContainerSocketsReader {
 public:
  explicit ContainerSocketsReader(TableReader& out)
      : out_(out), facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)) {}

  void read() {
    if (facts_.list_error()) return out_.gap(*facts_.list_error());
    const auto host = facts_.net_namespace(1);
    if (!host) {
      return out_.gap({host.error().code == ErrorCode::kNotFound ? kernel_fact_error(out_.host(), host.error()).code
                                                                 : host.error().code,
                       concat({"the host's network namespace: ", host.error().message})});
    }
    for (const auto& [name, processes] : foreign_namespaces(*host)) read_namespace(name, processes);
  }

 private:
  using Namespaces = std::map<std::string, std::vector<ProcessId>>;

  Namespaces foreign_namespaces(const std::string& host) {
    Namespaces namespaces;
    std::size_t unread = 0;
    std::optional<Error> error;
    for (const auto process : facts_.processes()) {
      const auto name = facts_.net_namespace(process);
      if (!name && name.error().code != ErrorCode::kNotFound && unread++ == 0) error = name.error();
      if (!name || *name == host) continue;
      if (namespaces.size() < kMaxNamespaces || namespaces.contains(*name)) namespaces[*name].push_back(process);
    }
    if (error) out_.gap(error_of_many(*error, unread));
    if (namespaces.size() >= kMaxNamespaces) out_.gap({ErrorCode::kTooLarge, "too many network namespaces"});
    return namespaces;
  }

  void read_namespace(const std::string& name, const std::vector<ProcessId>& processes) {
    ListeningSockets all;
    // The first process may end while it is read.
    for (const auto process : processes) {
      all = read_proc_net_folder(out_.files(), concat({"/proc/", std::to_string(process), "/net"}));
      if (!all.sockets.empty() || all.errors.empty() || all.errors.front().code != ErrorCode::kNotFound) break;
    }
    for (const auto& error : all.errors) {
      if (error.code != ErrorCode::kNotFound) out_.gap(name, "*", error);
    }
    if (all.sockets.empty()) return;
    std::unordered_set<std::uint64_t> inodes;
    for (const auto& listening : all.sockets) inodes.insert(listening.socket.inode);
    const auto owners = find_socket_owners(facts_, processes, std::move(inodes));
    for (const auto& listening : all.sockets) add(name, listening, processes.front(), owners);
  }

  void add(const std::string& name, const ListeningSocket& listening, ProcessId representative,
           const SocketOwners& owners) {
    const auto& socket = listening.socket;
    const std::string address = address_text(socket.local_address);
    auto row = out_.row();
    row.set("network_namespace", name)
        .set("socket", socket_name(listening.protocol, address, socket.local_port, socket.interface))
        .set("protocol", listening.protocol)
        .set("address", address)
        .set("port", std::int64_t{socket.local_port})
        .set("exposure", "container-internal")
        .set("bound_to", address_exposure(socket.local_address))
        .set("uid", socket.uid);
    const auto owner = owners.by_inode.find(socket.inode);
    if (owner == owners.by_inode.end() && owners.error) {
      row.unread("pid", *owners.error).unread("process", *owners.error).unread("gpu_handles", *owners.error);
    }
    const auto process = owner == owners.by_inode.end() ? representative : owner->second;
    if (const auto& group = facts_.group(process)) row.set("container", group->container).set("unit", group->unit);
    if (owner == owners.by_inode.end()) return;
    row.set("pid", process).set("gpu_handles", static_cast<std::int64_t>(facts_.handles(process).gpu_devices.size()));
    if (const auto command = facts_.name(process)) row.set("process", *command);
  }

  TableReader& out_;
  const ProcessFacts& facts_;
};

void read_container_sockets(TableReader& out) { ContainerSocketsReader(out).read(); }

}  // namespace

Probe container_sockets_probe() {
  return {{"container_sockets",
           "Listening sockets of network namespaces other than the host's, from /proc/PID/net of one process each. "
           "They are "
           "reachable from outside only where something publishes or bridges them.",
           kColumns, TableCost::kFast, TableLane::kProcesses},
          &read_container_sockets};
}

}  // namespace gpuharden
