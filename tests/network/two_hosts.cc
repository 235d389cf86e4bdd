// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/two_hosts.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "engine/native/netlink_bytes.h"

namespace gpuharden::test {
namespace {

using Socket = Handle<mnl_socket, &mnl_socket_close>;

constexpr const char* kHost4 = "10.9.0.1";
constexpr const char* kPeer4 = "10.9.0.2";
constexpr const char* kHost6 = "fd09::1";
constexpr const char* kPeer6 = "fd09::2";
constexpr std::string_view kHostLink("\x02\0\0\0\0\x01", 6);
constexpr std::string_view kPeerLink("\x02\0\0\0\0\x02", 6);

template <typename Header>
std::string bytes_of(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::string address(const char* text) {
  char bytes[16] = {};
  const bool is_ipv6 = std::strchr(text, ':') != nullptr;
  ::inet_pton(is_ipv6 ? AF_INET6 : AF_INET, text, bytes);
  return {bytes, is_ipv6 ? 16U : 4U};
}

// "" when the kernel did it.
std::string change(std::uint16_t type, unsigned flags, const std::string& payload) {
  const Socket socket(mnl_socket_open(NETLINK_ROUTE));
  std::string request;
  put_message(request, type, static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags), payload);
  if (!socket || mnl_socket_sendto(socket.get(), request.data(), request.size()) < 0) return "rtnetlink";
  char buffer[4096];
  const auto length = mnl_socket_recvfrom(socket.get(), buffer, sizeof buffer);
  std::string_view answer(buffer, length > 0 ? static_cast<std::size_t>(length) : 0);
  const auto message = next_message(answer);
  std::int32_t code = -1;
  if (message && message->type == NLMSG_ERROR) std::memcpy(&code, message->payload.data(), sizeof code);
  return code == 0 ? "" : "rtnetlink message " + std::to_string(type) + ": " + std::strerror(-code);
}

std::string make_cable(int peer_namespace) {
  std::string peer = bytes_of(ifinfomsg{});
  put_text_attribute(peer, IFLA_IFNAME, "eth0");
  put_attribute(peer, IFLA_ADDRESS, kPeerLink);
  put_attribute(peer, IFLA_NET_NS_FD, bytes_of(peer_namespace));
  std::string data;
  put_attribute(data, VETH_INFO_PEER, peer);
  std::string info;
  put_text_attribute(info, IFLA_INFO_KIND, "veth");
  put_attribute(info, IFLA_INFO_DATA, data);
  std::string payload = bytes_of(ifinfomsg{});
  put_text_attribute(payload, IFLA_IFNAME, "eth0");
  put_attribute(payload, IFLA_ADDRESS, kHostLink);
  put_attribute(payload, IFLA_LINKINFO, info);
  return change(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, payload);
}

std::string bring_up(const char* name) {
  ifinfomsg header{};
  header.ifi_index = static_cast<int>(::if_nametoindex(name));
  header.ifi_flags = header.ifi_change = IFF_UP;
  return change(RTM_NEWLINK, 0, bytes_of(header));
}

std::string give_address(const char* text) {
  const auto bytes = address(text);
  ifaddrmsg header{};
  header.ifa_family = bytes.size() == 4 ? AF_INET : AF_INET6;
  header.ifa_prefixlen = bytes.size() == 4 ? 24 : 64;
  header.ifa_flags = IFA_F_NODAD;
  header.ifa_index = ::if_nametoindex("eth0");
  std::string payload = bytes_of(header);
  put_attribute(payload, IFA_LOCAL, bytes);
  put_attribute(payload, IFA_ADDRESS, bytes);
  return change(RTM_NEWADDR, NLM_F_CREATE, payload);
}

// Neighbours are told, not asked for: rules may drop the questions.
std::string know_neighbour(const char* text, std::string_view link) {
  const auto bytes = address(text);
  ndmsg header{};
  header.ndm_family = bytes.size() == 4 ? AF_INET : AF_INET6;
  header.ndm_ifindex = static_cast<int>(::if_nametoindex("eth0"));
  header.ndm_state = NUD_PERMANENT;
  std::string payload = bytes_of(header);
  put_attribute(payload, NDA_DST, bytes);
  put_attribute(payload, NDA_LLADDR, link);
  return change(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, payload);
}

std::string furnish(const char* own4, const char* own6, const char* other4, const char* other6,
                    std::string_view other_link) {
  for (const auto& fault : {bring_up("lo"), bring_up("eth0"), give_address(own4), give_address(own6),
                            know_neighbour(other4, other_link), know_neighbour(other6, other_link)}) {
    if (!fault.empty()) return fault;
  }
  return "";
}

struct Name {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

Name name_of(const char* text, std::uint16_t port) {
  Name name;
  const auto bytes = address(text);
  if (bytes.size() == 4) {
    auto* four = reinterpret_cast<sockaddr_in*>(&name.bytes);
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    std::memcpy(&four->sin_addr, bytes.data(), 4);
    name.size = sizeof *four;
  } else {
    auto* six = reinterpret_cast<sockaddr_in6*>(&name.bytes);
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(port);
    std::memcpy(&six->sin6_addr, bytes.data(), 16);
    name.size = sizeof *six;
  }
  return name;
}

UniqueFd listen_on(const char* text, int type, std::uint16_t port) {
  const auto name = name_of(text, port);
  UniqueFd fd(::socket(name.get()->sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const bool is_good =
      ::bind(fd.get(), name.get(), name.size) == 0 && (type == SOCK_DGRAM || ::listen(fd.get(), 16) == 0);
  if (!is_good) fd.reset();
  return fd;
}

}  // namespace

std::string TwoHosts::start() {
  if (::unshare(CLONE_NEWNET) != 0) return std::string("no network namespace: ") + std::strerror(errno);
  peer_.reset(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (::unshare(CLONE_NEWNET) != 0) return std::string("no network namespace: ") + std::strerror(errno);
  host_.reset(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (const auto fault = make_cable(peer_.get()); !fault.empty()) return "virtual cable: " + fault;
  ::setns(peer_.get(), CLONE_NEWNET);
  const auto peer_fault = furnish(kPeer4, kPeer6, kHost4, kHost6, kHostLink);
  ::setns(host_.get(), CLONE_NEWNET);
  const auto host_fault = furnish(kHost4, kHost6, kPeer4, kPeer6, kPeerLink);
  if (!peer_fault.empty() || !host_fault.empty()) return peer_fault + host_fault;
  for (const auto port : kPorts) {
    for (const auto* text : {kHost4, kHost6}) {
      listeners_.push_back(listen_on(text, SOCK_STREAM, port));
      datagrams_.push_back(listen_on(text, SOCK_DGRAM, port));
      if (!listeners_.back() || !datagrams_.back()) return std::string("listening: ") + std::strerror(errno);
    }
  }
  return "";
}

// Each has a port of its own, so that no connection continues an earlier one.
UniqueFd TwoHosts::peer_socket(int family, int type) {
  ::setns(peer_.get(), CLONE_NEWNET);
  UniqueFd fd(::socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const auto name = name_of(family == AF_INET ? kPeer4 : kPeer6, next_port_++);
  const bool is_bound = ::bind(fd.get(), name.get(), name.size) == 0;
  ::setns(host_.get(), CLONE_NEWNET);
  if (!is_bound) fd.reset();
  return fd;
}

bool TwoHosts::connects(int family, std::uint16_t port, int milliseconds) {
  const auto fd = peer_socket(family, SOCK_STREAM);
  const auto name = name_of(family == AF_INET ? kHost4 : kHost6, port);
  const linger at_once{1, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  if (::connect(fd.get(), name.get(), name.size) != 0 && errno != EINPROGRESS) return false;
  pollfd poll{fd.get(), POLLOUT, 0};
  tcp_info info{};
  socklen_t size = sizeof info;
  // An error would also tell of what became of later packets.
  if (::poll(&poll, 1, milliseconds) > 0) ::getsockopt(fd.get(), IPPROTO_TCP, TCP_INFO, &info, &size);
  drop_connections();
  return info.tcpi_state == TCP_ESTABLISHED;
}

void TwoHosts::drop_connections() {
  const linger at_once{1, 0};
  for (const auto& listener : listeners_) {
    for (UniqueFd fd(::accept(listener.get(), nullptr, nullptr)); fd;
         fd.reset(::accept(listener.get(), nullptr, nullptr)))
      ::setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
}

bool TwoHosts::datagram_arrives(int family, std::uint16_t port, int milliseconds) {
  const auto fd = peer_socket(family, SOCK_DGRAM);
  const auto name = name_of(family == AF_INET ? kHost4 : kHost6, port);
  const std::string text = "datagram " + std::to_string(++next_text_);
  if (::sendto(fd.get(), text.data(), text.size(), 0, name.get(), name.size) < 0) return false;
  std::vector<pollfd> polls;
  for (const auto& datagram : datagrams_) polls.push_back({datagram.get(), POLLIN, 0});
  ::poll(polls.data(), polls.size(), milliseconds);
  return takes_datagram(text);
}

bool TwoHosts::takes_datagram(const std::string& text) {
  bool is_there = false;
  char buffer[64];
  for (const auto& datagram : datagrams_) {
    for (auto count = ::recv(datagram.get(), buffer, sizeof buffer, 0); count >= 0;
         count = ::recv(datagram.get(), buffer, sizeof buffer, 0)) {
      is_there = is_there || std::string_view(buffer, static_cast<std::size_t>(count)) == text;
    }
  }
  return is_there;
}

}  // namespace gpuharden::test
