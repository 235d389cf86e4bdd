// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/network/host_sockets.h"

#include <sys/socket.h>

#include <array>

#include "checks/network/proc_net.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

// 100,000 rows need some 15 MB.
constexpr std::size_t kProcNetCap = std::size_t{128} << 20U;

struct SocketTable {
  SocketProtocol protocol;
  std::string_view protocol_name;
  int family;
  std::string_view file;
  std::uint8_t state;
};

constexpr std::array<SocketTable, 4> kTables = {{
    {SocketProtocol::kTcp, "tcp", AF_INET, "tcp", kTcpListen},
    {SocketProtocol::kTcp, "tcp", AF_INET6, "tcp6", kTcpListen},
    {SocketProtocol::kUdp, "udp", AF_INET, "udp", kUdpUnconnected},
    {SocketProtocol::kUdp, "udp", AF_INET6, "udp6", kUdpUnconnected},
}};

Status read_file(const Files& files, const std::string& path, const SocketTable& table, ListeningSockets& all) {
  const auto file = files.read(path, kProcNetCap);
  if (!file) return file.error();
  if (file->truncated)
    all.errors.push_back({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
  auto parsed = parse_proc_net(file->bytes, table.family, table.state);
  if (parsed.bad_lines > 0) {
    all.errors.push_back(
        {ErrorCode::kMalformed, concat({path, ": ", std::to_string(parsed.bad_lines), " lines make no sense"})});
  }
  for (auto& socket : parsed.sockets)
    all.sockets.push_back({table.protocol_name, std::move(socket), false, std::nullopt});
  return {};
}

// A kernel without IPv6 has no tcp6 file.
bool is_without_ipv6(const Files& files) {
  return !files.stat("/proc/net/if_inet6") && !files.stat("/proc/sys/net/ipv6") &&
         (files.stat("/proc/net/tcp") || files.stat("/proc/1/net/tcp"));
}

// bindv6only as a flag: what a socket has that did not choose. The default of the kernel is 0.
bool reads_bindv6only(const Files& files) {
  const auto file = files.read("/proc/sys/net/ipv6/bindv6only");
  return file && trim(file->bytes) == "1";
}

void set_v6_only(const Host& host, std::size_t first, ListeningSockets& all) {
  const bool is_image = host.kind() == HostKind::kImage;
  const bool assumed = is_image && reads_bindv6only(host.files());
  for (auto i = first; i < all.sockets.size(); ++i) {
    auto& listening = all.sockets[i];
    if (listening.socket.family != AF_INET6) continue;
    listening.v6_only_is_assumed = is_image;
    if (is_image) {
      listening.socket.v6_only = assumed;
    } else {
      listening.v6_only_error =
          Error{ErrorCode::kUnsupported, "V6ONLY: /proc/net does not tell it, and sock_diag is not there"};
    }
  }
}

// Process 1's namespace is the host's, also when this process is in another.
void read_from_proc(const Host& host, const SocketTable& table, ListeningSockets& all) {
  const auto first = all.sockets.size();
  auto status = read_file(host.files(), concat({"/proc/1/net/", table.file}), table, all);
  if (!status) status = read_file(host.files(), concat({"/proc/net/", table.file}), table, all);
  if (!status && !(table.family == AF_INET6 && is_without_ipv6(host.files()))) {
    all.errors.push_back(kernel_fact_error(host, status.error()));
  }
  set_v6_only(host, first, all);
}

Status read_from_kernel(const Host& host, const SocketTable& table, ListeningSockets& all) {
  GH_ASSIGN_OR_RETURN(const SocketDump dump, host.sockets(table.protocol, table.family));
  GH_ASSIGN_OR_RETURN(auto sockets, decode_inet_sockets(dump.messages));
  for (auto& socket : sockets) {
    // A dump of IPv6 sockets may carry IPv4 ones, which the other dump has too.
    if (socket.family != table.family || socket.state != table.state) continue;
    all.sockets.push_back({table.protocol_name, std::move(socket), false, std::nullopt});
  }
  return {};
}

}  // namespace

bool is_in_host_namespace(const Files& files) {
  const auto own = files.read_link("/proc/self/ns/net");
  const auto first = files.read_link("/proc/1/ns/net");
  return !own || !first || *own == *first;
}

ListeningSockets read_host_sockets(const Host& host) {
  ListeningSockets all;
  const bool may_ask_kernel = is_in_host_namespace(host.files());
  for (const auto& table : kTables) {
    const auto first = all.sockets.size();
    if (may_ask_kernel && read_from_kernel(host, table, all)) continue;
    all.sockets.resize(first);
    read_from_proc(host, table, all);
  }
  return all;
}

ListeningSockets read_proc_net_folder(const Files& files, std::string_view folder) {
  ListeningSockets all;
  for (const auto& table : kTables) {
    auto status = read_file(files, concat({folder, "/", table.file}), table, all);
    if (!status) all.errors.push_back(status.error());
  }
  return all;
}

}  // namespace gpuharden
