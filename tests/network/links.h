// SPDX-License-Identifier: GPL-2.0-or-later
// Virtual cables, addresses and routes of the network namespace that this process is in. By rtnetlink; each answers
// "" or what the kernel said.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/handle.h"

namespace gpuharden::test {

// One end here, the other in a namespace that is named by a descriptor. `link` is a hardware address, raw.
std::string make_cable(const char* name, std::string_view link, int peer_namespace, const char* peer_name,
                       std::string_view peer_link);
std::string bring_up(const char* name);
std::string give_address(const char* interface, const char* text);
// Neighbours are told, not asked for: rules may drop the questions.
std::string know_neighbour(const char* interface, const char* text, std::string_view link);
// Whatever is not near goes there.
std::string route_by(const char* gateway);

struct SocketName {
  sockaddr_storage bytes{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};
SocketName socket_name(const char* address, std::uint16_t port);
// Not blocking; holds nothing when it cannot listen.
UniqueFd listen_on(const char* address, int type, std::uint16_t port);

}  // namespace gpuharden::test
