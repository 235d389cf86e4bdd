// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/guarded_net.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tests/network/links.h"

namespace gpuharden::test {
namespace {

constexpr int kPatience = 3000;  // milliseconds, for what must arrive
constexpr std::string_view kLinks[] = {
    {"\x02\0\0\0\0\x01", 6}, {"\x02\0\0\0\0\x02", 6}, {"\x02\0\0\0\0\x03", 6}, {"\x02\0\0\0\0\x04", 6}};

bool write_text(const char* path, const char* text) {
  const UniqueFd fd(::open(path, O_WRONLY | O_CLOEXEC));
  return ::write(fd.get(), text, std::strlen(text)) == static_cast<ssize_t>(std::strlen(text));
}

bool gets_through(int from, int to) {
  char byte = 'x';
  pollfd waiting{to, POLLIN, 0};
  return ::send(from, &byte, 1, MSG_NOSIGNAL) == 1 && ::poll(&waiting, 1, kPatience) == 1 &&
         ::recv(to, &byte, 1, 0) == 1;
}

std::string first_fault(std::initializer_list<std::string> faults) {
  for (const auto& fault : faults) {
    if (!fault.empty()) return fault;
  }
  return "";
}

}  // namespace

bool Connection::carries() const {
  return gets_through(client.get(), server.get()) && gets_through(server.get(), client.get());
}

std::string GuardedNet::start() {
  for (const auto place : {Place::kRemote, Place::kContainer, Place::kHost}) {
    if (::unshare(CLONE_NEWNET) != 0) return std::string("no network namespace: ") + std::strerror(errno);
    namespaces_[static_cast<std::size_t>(place)].reset(::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  }
  const auto fault = furnish();
  if (!fault.empty()) return fault;
  for (const auto place : {Place::kRemote, Place::kContainer, Place::kHost}) {
    enter(place);
    for (const auto port : {kOpenPort, kGuardedPort}) {
      listeners_.push_back(listen_on("::", SOCK_STREAM, port));
      if (!listeners_.back()) return std::string("listening: ") + std::strerror(errno);
    }
  }
  return "";
}

std::string GuardedNet::furnish() {
  const auto end = [&](Place place) { return namespaces_[static_cast<std::size_t>(place)].get(); };
  enter(Place::kHost);
  if (!write_text("/proc/sys/net/ipv4/ip_forward", "1") || !write_text("/proc/sys/net/ipv6/conf/all/forwarding", "1"))
    return "the namespace does not forward";
  auto fault = first_fault({make_cable("eth0", kLinks[0], end(Place::kRemote), "eth0", kLinks[1]),
                            make_cable("docker0", kLinks[2], end(Place::kContainer), "eth0", kLinks[3])});
  if (!fault.empty()) return fault;
  fault =
      first_fault({bring_up("lo"), bring_up("eth0"), bring_up("docker0"), give_address("eth0", kHost4),
                   give_address("eth0", kHost6), give_address("docker0", kBridge4), give_address("docker0", kBridge6)});
  if (!fault.empty()) return "the host: " + fault;
  enter(Place::kRemote);
  fault = first_fault({bring_up("lo"), bring_up("eth0"), give_address("eth0", kRemote4), give_address("eth0", kRemote6),
                       route_by(kHost4), route_by(kHost6)});
  if (!fault.empty()) return "the remote machine: " + fault;
  enter(Place::kContainer);
  fault = first_fault({bring_up("lo"), bring_up("eth0"), give_address("eth0", kContainer4),
                       give_address("eth0", kContainer6), route_by(kBridge4), route_by(kBridge6)});
  enter(Place::kHost);
  return fault.empty() ? "" : "the container: " + fault;
}

void GuardedNet::enter(Place place) { ::setns(namespaces_[static_cast<std::size_t>(place)].get(), CLONE_NEWNET); }

UniqueFd GuardedNet::accept_any() {
  std::vector<pollfd> polls;
  for (const auto& listener : listeners_) polls.push_back({listener.get(), POLLIN, 0});
  ::poll(polls.data(), polls.size(), kPatience);
  UniqueFd accepted;
  for (const auto& listener : listeners_) {
    for (UniqueFd fd(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)); fd;
         fd.reset(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC)))
      accepted.reset(fd.release());
  }
  return accepted;
}

Connection GuardedNet::connect(Place from, const char* address, std::uint16_t port, int milliseconds,
                               std::uint16_t own_port) {
  const auto name = socket_name(address, port);
  const int family = name.get()->sa_family;
  enter(from);
  Connection connection;
  UniqueFd fd(::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const auto own = socket_name(family == AF_INET ? "0.0.0.0" : "::", own_port);
  const bool is_begun = (own_port == 0 || ::bind(fd.get(), own.get(), own.size) == 0) &&
                        (::connect(fd.get(), name.get(), name.size) == 0 || errno == EINPROGRESS);
  enter(Place::kHost);
  pollfd waiting{fd.get(), POLLOUT, 0};
  int fault = 1;
  socklen_t size = sizeof fault;
  if (is_begun && ::poll(&waiting, 1, milliseconds) == 1) ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &fault, &size);
  if (fault != 0) return connection;
  connection.client = std::move(fd);
  connection.server = accept_any();
  return connection;
}

}  // namespace gpuharden::test
