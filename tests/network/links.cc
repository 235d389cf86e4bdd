// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/links.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>

#include <cstring>

#include "engine/native/netlink_bytes.h"

namespace gpuharden::test {
namespace {

using Socket = Handle<mnl_socket, &mnl_socket_close>;

template <typename Header>
std::string bytes_of(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::string address_bytes(const char* text) {
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

}  // namespace

std::string make_cable(const char* name, std::string_view link, int peer_namespace, const char* peer_name,
                       std::string_view peer_link) {
  std::string peer = bytes_of(ifinfomsg{});
  put_text_attribute(peer, IFLA_IFNAME, peer_name);
  put_attribute(peer, IFLA_ADDRESS, peer_link);
  put_attribute(peer, IFLA_NET_NS_FD, bytes_of(peer_namespace));
  std::string data;
  put_attribute(data, VETH_INFO_PEER, peer);
  std::string info;
  put_text_attribute(info, IFLA_INFO_KIND, "veth");
  put_attribute(info, IFLA_INFO_DATA, data);
  std::string payload = bytes_of(ifinfomsg{});
  put_text_attribute(payload, IFLA_IFNAME, name);
  put_attribute(payload, IFLA_ADDRESS, link);
  put_attribute(payload, IFLA_LINKINFO, info);
  return change(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, payload);
}

std::string bring_up(const char* name) {
  ifinfomsg header{};
  header.ifi_index = static_cast<int>(::if_nametoindex(name));
  header.ifi_flags = header.ifi_change = IFF_UP;
  return change(RTM_NEWLINK, 0, bytes_of(header));
}

std::string give_address(const char* interface, const char* text) {
  const auto bytes = address_bytes(text);
  ifaddrmsg header{};
  header.ifa_family = bytes.size() == 4 ? AF_INET : AF_INET6;
  header.ifa_prefixlen = bytes.size() == 4 ? 24 : 64;
  header.ifa_flags = IFA_F_NODAD;
  header.ifa_index = ::if_nametoindex(interface);
  std::string payload = bytes_of(header);
  put_attribute(payload, IFA_LOCAL, bytes);
  put_attribute(payload, IFA_ADDRESS, bytes);
  return change(RTM_NEWADDR, NLM_F_CREATE, payload);
}

// Neighbours are told, not asked for: rules may drop the questions.
std::string know_neighbour(const char* interface, const char* text, std::string_view link) {
  const auto bytes = address_bytes(text);
  ndmsg header{};
  header.ndm_family = bytes.size() == 4 ? AF_INET : AF_INET6;
  header.ndm_ifindex = static_cast<int>(::if_nametoindex(interface));
  header.ndm_state = NUD_PERMANENT;
  std::string payload = bytes_of(header);
  put_attribute(payload, NDA_DST, bytes);
  put_attribute(payload, NDA_LLADDR, link);
  return change(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, payload);
}

std::string route_by(const char* gateway) {
  const auto bytes = address_bytes(gateway);
  rtmsg header{};
  header.rtm_family = bytes.size() == 4 ? AF_INET : AF_INET6;
  header.rtm_table = RT_TABLE_MAIN;
  header.rtm_protocol = RTPROT_STATIC;
  header.rtm_type = RTN_UNICAST;
  std::string payload = bytes_of(header);
  put_attribute(payload, RTA_GATEWAY, bytes);
  return change(RTM_NEWROUTE, NLM_F_CREATE, payload);
}

SocketName socket_name(const char* text, std::uint16_t port) {
  SocketName name;
  const auto bytes = address_bytes(text);
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
  const auto name = socket_name(text, port);
  UniqueFd fd(::socket(name.get()->sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const bool is_good =
      ::bind(fd.get(), name.get(), name.size) == 0 && (type == SOCK_DGRAM || ::listen(fd.get(), 16) == 0);
  if (!is_good) fd.reset();
  return fd;
}

}  // namespace gpuharden::test
