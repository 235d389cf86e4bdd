// SPDX-License-Identifier: GPL-2.0-or-later
// A remote machine, a host and a container on it, each in a network namespace of its own, and connections between
// them. The host forwards between its two cables; everybody listens on kOpenPort and kGuardedPort.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/handle.h"

namespace gpuharden::test {

enum class Place { kRemote, kHost, kContainer };

inline constexpr std::uint16_t kOpenPort = 9000;
inline constexpr std::uint16_t kGuardedPort = 8000;
// What Docker-like rules of the host send on to the container's kGuardedPort and kOpenPort.
inline constexpr std::uint16_t kPublishedPort = 18000;
inline constexpr std::uint16_t kOpenPublishedPort = 19000;

struct Connection {
  UniqueFd client, server;
  explicit operator bool() const { return static_cast<bool>(client) && static_cast<bool>(server); }
  // Whether a byte gets through, to and fro.
  bool carries() const;
};

// Makes the calling process live in the host's namespace, for good.
class GuardedNet {
 public:
  static constexpr const char* kHost4 = "10.9.0.1";
  static constexpr const char* kHost6 = "fd09::1";
  static constexpr const char* kRemote4 = "10.9.0.2";
  static constexpr const char* kRemote6 = "fd09::2";
  static constexpr const char* kBridge4 = "172.17.0.1";  // the host, as containers see it
  static constexpr const char* kBridge6 = "fd17::1";
  static constexpr const char* kContainer4 = "172.17.0.2";
  static constexpr const char* kContainer6 = "fd17::2";

  // "" or what could not be made.
  std::string start();

  // A connection, or none when it did not come about in that time. `own_port` 0: any.
  Connection connect(Place from, const char* address, std::uint16_t port, int milliseconds, std::uint16_t own_port = 0);

 private:
  std::string furnish();
  void enter(Place place);
  UniqueFd accept_any();
  std::array<UniqueFd, 3> namespaces_;
  std::vector<UniqueFd> listeners_;
};

}  // namespace gpuharden::test
