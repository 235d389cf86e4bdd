// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/two_hosts.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "tests/network/links.h"

namespace gpuharden::test {
namespace {

constexpr const char* kHost4 = "10.9.0.1";
constexpr const char* kPeer4 = "10.9.0.2";
constexpr const char* kHost6 = "fd09::1";
constexpr const char* kPeer6 = "fd09::2";
constexpr std::string_view kHostLink("\x02\0\0\0\0\x01", 6);
constexpr std::string_view kPeerLink("\x02\0\0\0\0\x02", 6);

std::string furnish(const char* own4, const char* own6, const char* other4, const char* other6,
                    std::string_view other_link) {
  for (const auto& fault : {bring_up("lo"), bring_up("eth0"), give_address("eth0", own4), give_address("eth0", own6),
                            know_neighbour("eth0", other4, other_link), know_neighbour("eth0", other6, other_link)}) {
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

std::string TwoHosts::start() {
  if (::unshare(CLONE_NEWNET) != 0) return std::string("no network namespace: ") + std::strerror(errno);
  peer_.reset(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (::unshare(CLONE_NEWNET) != 0) return std::string("no network namespace: ") + std::strerror(errno);
  host_.reset(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (const auto fault = make_cable("eth0", kHostLink, peer_.get(), "eth0", kPeerLink); !fault.empty())
    return "virtual cable: " + fault;
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
  const auto name = socket_name(family == AF_INET ? kPeer4 : kPeer6, next_port_++);
  const bool is_bound = ::bind(fd.get(), name.get(), name.size) == 0;
  ::setns(host_.get(), CLONE_NEWNET);
  if (!is_bound) fd.reset();
  return fd;
}

bool TwoHosts::connects(int family, std::uint16_t port, int milliseconds) {
  const auto fd = peer_socket(family, SOCK_STREAM);
  const auto name = socket_name(family == AF_INET ? kHost4 : kHost6, port);
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
  const auto name = socket_name(family == AF_INET ? kHost4 : kHost6, port);
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
