// SPDX-License-Identifier: GPL-2.0-or-later
// What can be reached on this host, and which program answers.
#include <sys/socket.h>

#include <set>
#include <utility>

#include "checks/accounts/accounts.h"
#include "checks/network/host_sockets.h"
#include "checks/network/inet_address.h"
#include "checks/network/socket_owners.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"socket", ColumnType::kText, "protocol, address and port: \"tcp 127.0.0.1:11434\", \"tcp6 [::]:11434\"",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"protocol", ColumnType::kText, "tcp or udp", ColumnFlag::kNotNull},
    {"family", ColumnType::kText, "ipv4 or ipv6: of the socket, not of its clients", ColumnFlag::kNotNull},
    {"address", ColumnType::kText, "the local address in full", ColumnFlag::kNotNull},
    {"port", ColumnType::kInteger, "the local port", ColumnFlag::kNotNull},
    {"interface", ColumnType::kInteger, "index of the interface it is bound to; 0 for any", ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "the user who made the socket", ColumnFlag::kNotNull},
    {"user_name", ColumnType::kText, "that user's name in /etc/passwd; NULL when it has none"},
    {"inode", ColumnType::kInteger, "the socket's inode", ColumnFlag::kNotNull},
    {"exposure", ColumnType::kText,
     "loopback: this host alone. wildcard: every interface. link-local: the segment. specific: one address of the host",
     ColumnFlag::kNotNull},
    {"v6only", ColumnType::kBoolean, "1 when an IPv6 socket takes no IPv4; NULL for IPv4 sockets"},
    {"v6only_source", ColumnType::kText,
     "kernel, or assumed: in an image, from net.ipv6.bindv6only; NULL for IPv4 sockets"},
    {"on_ipv4", ColumnType::kBoolean, "whether IPv4 clients reach it"},
    {"on_ipv6", ColumnType::kBoolean, "whether IPv6 clients reach it", ColumnFlag::kNotNull},
    {"owner", ColumnType::kText,
     "process: pid holds it. none: no process does, as with the kernel's own servers. unknown: not every process could "
     "be "
     "looked at",
     ColumnFlag::kNotNull},
    {"pid", ColumnType::kInteger, "the process that holds it; a service before process 1"},
    {"process", ColumnType::kText, "its command name"},
    {"exe", ColumnType::kPath, "its executable"},
    {"unit", ColumnType::kText, "its systemd service or scope"},
    {"container", ColumnType::kText, "its container, for those that use the host's network"},
    {"gpu_handles", ColumnType::kInteger,
     "GPU nodes held open by it, its ancestors and descendants, or the rest of its service or container"},
    {"service", ColumnType::kText,
     "the known AI service, container engine or node agent: ollama, vllm, ray, …; NULL for others"},
    {"service_kind", ColumnType::kText,
     "inference, notebook, cluster, application, tracking, vector-store, monitoring, control"},
    {"service_source", ColumnType::kText,
     "how it was recognised: process (its own or an ancestor's), unit, or, where the process is not known, user or "
     "port"},
    {"is_main_port", ColumnType::kBoolean,
     "whether the service was told to use this port, or usually does; NULL without a service"},
    {"network_namespace", ColumnType::kText, "the host's: net:[inode]; NULL when it cannot be told"},
};

class SocketsReader {
 public:
  explicit SocketsReader(TableReader& out)
      : out_(out),
        accounts_(out.shared().get<Accounts>(out.host(), &read_accounts)),
        facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)),
        owner_facts_(facts_) {
    for (const auto* column : {"owner", "pid", "process", "exe", "unit", "container", "gpu_handles", "service",
                               "service_kind", "service_source", "is_main_port"}) {
      wants_owner_ = wants_owner_ || out.wants(column);
    }
  }

  void read() {
    const auto all = read_host_sockets(out_.host());
    for (const auto& error : all.errors) out_.gap(error);
    if (wants_owner_ && !all.sockets.empty()) find_owners(all);
    if (const auto name = facts_.net_namespace(1)) namespace_ = *name;
    for (const auto& listening : all.sockets) {
      const auto& socket = listening.socket;
      const bool is_wildcard = address_exposure(socket.local_address) == "wildcard";
      if (socket.family == AF_INET && is_wildcard && socket.interface == 0)
        on_all_of_ipv4_.emplace(listening.protocol, socket.local_port);
    }
    for (const auto& listening : all.sockets) add(listening);
  }

 private:
  void find_owners(const ListeningSockets& all) {
    std::unordered_set<std::uint64_t> inodes;
    for (const auto& listening : all.sockets) inodes.insert(listening.socket.inode);
    owners_ = find_socket_owners(facts_, facts_.processes(), std::move(inodes));
    if (facts_.list_error()) owners_.error = facts_.list_error();
  }

  void add(const ListeningSocket& listening) {
    const auto& socket = listening.socket;
    const std::string address = address_text(socket.local_address);
    auto row = out_.row();
    const std::string name = socket_name(listening.protocol, address, socket.local_port, socket.interface);
    row.set("socket", name)
        .set("protocol", listening.protocol)
        .set("family", socket.family == AF_INET ? "ipv4" : "ipv6")
        .set("address", address)
        .set("port", std::int64_t{socket.local_port})
        .set("interface", socket.interface)
        .set("uid", socket.uid)
        .set("inode", socket.inode)
        .set("exposure", address_exposure(socket.local_address));
    if (!namespace_.empty()) row.set("network_namespace", namespace_);
    const auto user = user_name(accounts_, socket.uid);
    row.set("user_name", user);
    set_families(row, listening);
    if (wants_owner_) set_owner(row, socket, name, user && *user ? **user : "");
  }

  void set_families(Row& row, const ListeningSocket& listening) const {
    const auto& socket = listening.socket;
    if (socket.family == AF_INET) {
      row.set("on_ipv4", true).set("on_ipv6", false);
      return;
    }
    const bool is_mapped = is_mapped_ipv4(socket.local_address);
    const bool is_wildcard = address_exposure(socket.local_address) == "wildcard";
    row.set("on_ipv6", !is_mapped).set("v6only_source", listening.v6_only_is_assumed ? "assumed" : "kernel");
    if (listening.v6_only_error) {
      row.unread("v6only", *listening.v6_only_error);
      // Where another socket has the port for all of IPv4, its clients reach the port whatever this one says.
      const bool is_answered = on_all_of_ipv4_.contains({listening.protocol, socket.local_port});
      if (is_wildcard && !is_mapped && !is_answered) {
        row.unread("on_ipv4", *listening.v6_only_error);
        return;
      }
    } else {
      row.set("v6only", socket.v6_only);
    }
    row.set("on_ipv4", is_mapped || (is_wildcard && !socket.v6_only.value_or(false)));
  }

  void set_owner(Row& row, const InetSocket& socket, std::string_view name, const std::string& user) {
    const auto found = owners_.by_inode.find(socket.inode);
    if (found != owners_.by_inode.end()) return set_process(row, socket, found->second);
    const bool is_unknown = owners_.error.has_value();
    row.set("owner", is_unknown ? "unknown" : "none");
    const AiService* service = is_unknown ? find_service_by_account(user) : nullptr;
    set_service(row, service != nullptr ? ServiceMatch{service, "user"} : match_by_port(socket.local_port), {},
                socket.local_port);
    if (!is_unknown) return;
    const Error error{owners_.error->code, concat({"which process holds ", name, ": ", owners_.error->message})};
    for (const auto* column : {"pid", "process", "exe", "unit", "container", "gpu_handles"}) row.unread(column, error);
    if (service != nullptr || match_by_port(socket.local_port).service != nullptr) return;
    for (const auto* column : {"service", "service_kind", "service_source", "is_main_port"}) row.unread(column, error);
  }

  static ServiceMatch match_by_port(std::uint16_t port) {
    const auto* service = find_service_by_port(port);
    return service == nullptr ? ServiceMatch{} : ServiceMatch{service, "port"};
  }

  static void set_service(Row& row, const ServiceMatch& match, const std::vector<std::string>& arguments,
                          std::uint16_t port) {
    if (match.service == nullptr) return;
    row.set("service", match.service->name)
        .set("service_kind", match.service->kind)
        .set("service_source", match.source)
        .set("is_main_port", is_main_port(*match.service, arguments, port));
  }

  void set_process(Row& row, const InetSocket& socket, ProcessId process) {
    const auto identity = owner_facts_.identity(process);
    row.set("owner", "process").set("pid", process).set("process", identity.name);
    if (!identity.executable.empty()) {
      row.set("exe", identity.executable);
    } else if (const auto link = facts_.executable(process); !link && link.error().code != ErrorCode::kNotFound) {
      row.unread("exe", link.error());
    }
    if (const auto& group = facts_.group(process)) {
      row.set("unit", group->unit).set("container", group->container);
    } else if (group.error().code != ErrorCode::kNotFound) {
      row.unread("unit", group.error()).unread("container", group.error());
    }
    auto match = owner_facts_.find(process);
    if (match.service == nullptr && is_port_forwarder(identity.name)) match = match_by_port(socket.local_port);
    set_service(row, match, arguments_of(process, match), socket.local_port);
    if (out_.wants("gpu_handles")) set_gpu_handles(row, process);
  }

  // The port stands on the command line of the program that was recognised, maybe an ancestor.
  std::vector<std::string> arguments_of(ProcessId process, const ServiceMatch& match) const {
    if (match.service == nullptr) return {};
    std::vector<std::string> all = owner_facts_.identity(process).arguments;
    for (const auto ancestor : facts_.ancestors(process)) {
      auto identity = owner_facts_.identity(ancestor);
      if (find_service(identity) != match.service) continue;
      all.insert(all.end(), identity.arguments.begin(), identity.arguments.end());
    }
    return all;
  }

  void set_gpu_handles(Row& row, ProcessId process) {
    const auto count = owner_facts_.gpu_handles(process);
    if (count == 0 && owner_facts_.has_unread_relative(process)) {
      row.unread("gpu_handles", *facts_.handles_error());
    } else {
      row.set("gpu_handles", static_cast<std::int64_t>(count));
    }
  }

  TableReader& out_;
  const Accounts& accounts_;
  const ProcessFacts& facts_;
  OwnerFacts owner_facts_;
  bool wants_owner_ = false;
  std::string namespace_;
  SocketOwners owners_;
  std::set<std::pair<std::string_view, std::uint16_t>> on_all_of_ipv4_;  // protocol and port
};

void read_listening_sockets(TableReader& out) { SocketsReader(out).read(); }

}  // namespace

Probe listening_sockets_probe() {
  return {{"listening_sockets",
           "Listening TCP and unconnected UDP sockets of the host's network namespace, from sock_diag or /proc/net, "
           "with the "
           "process that holds each. Sockets of containers with a network of their own are in container_sockets.",
           kColumns, TableCost::kFast, TableLane::kProcesses},
          &read_listening_sockets};
}

}  // namespace gpuharden
