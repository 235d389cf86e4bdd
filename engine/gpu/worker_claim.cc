// SPDX-License-Identifier: GPL-2.0-or-later
// A claim is a socket's name that no file stands for: an audit leaves nothing behind, and the kernel drops it with the
// last process that holds it.
#include "engine/gpu/worker_claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kPause = std::chrono::milliseconds(20);

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;
};

Address address_of(const std::string& vendor, const std::string& scope) {
  const std::string text = concat({"gpuharden-gpu-worker-", vendor, "-", digest_of({scope}).substr(0, 16)});
  Address address;
  address.name.sun_family = AF_UNIX;
  // The leading NUL makes the name abstract.
  std::memcpy(address.name.sun_path + 1, text.data(), text.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  return address;
}

const sockaddr* pointer(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.name); }

UniqueFd new_socket() { return UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)); }

// Whether the one who holds the name may hold it: whoever else could keep root from looking at its GPUs.
bool is_held_by_us(const Address& address) {
  const UniqueFd socket = new_socket();
  if (!socket) return true;
  if (::connect(socket.get(), pointer(address), address.size) != 0) return errno != ECONNREFUSED;
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return true;
  return peer.uid == 0 || peer.uid == ::geteuid();
}

}  // namespace

std::optional<WorkerClaim> WorkerClaim::take(const std::string& vendor, const std::string& scope) {
  const Address address = address_of(vendor, scope);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    UniqueFd socket = new_socket();
    const bool is_bound = socket && ::bind(socket.get(), pointer(address), address.size) == 0;
    if (is_bound && ::listen(socket.get(), 1) == 0) return WorkerClaim(std::move(socket));
    // Where there are no such sockets, runs are not kept apart.
    if (is_bound || errno != EADDRINUSE) return WorkerClaim(UniqueFd());
    if (std::chrono::steady_clock::now() >= until) break;
    std::this_thread::sleep_for(kPause);
  }
  if (is_held_by_us(address)) return std::nullopt;
  return WorkerClaim(UniqueFd());
}

}  // namespace gpuharden
