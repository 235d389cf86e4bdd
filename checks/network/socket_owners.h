// SPDX-License-Identifier: GPL-2.0-or-later
// Which process holds a socket, and what that process is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "checks/process/ai_services.h"
#include "checks/process/process_facts.h"

namespace gpuharden {

struct SocketOwners {
  std::unordered_map<std::uint64_t, ProcessId> by_inode;
  std::optional<Error> error;  // not every process could be looked at: an owner may be missing
};

// Looks through the processes until each inode is found; process 1 last, since it holds the sockets
// that it hands to services.
SocketOwners find_socket_owners(const ProcessFacts& facts, const std::vector<ProcessId>& processes,
                                std::unordered_set<std::uint64_t> inodes);

struct ServiceMatch {
  const AiService* service = nullptr;
  std::string_view source;  // process, unit, user, port; "" for no service
};

// Recognises what runs behind sockets. Remembers what it read.
class OwnerFacts {
 public:
  explicit OwnerFacts(const ProcessFacts& facts) : facts_(facts) {}

  ProcessIdentity identity(ProcessId process) const;
  // By the process itself, by its ancestors (an interpreter's workers), by its unit's name.
  ServiceMatch find(ProcessId process) const;
  // GPU handles of the process, its ancestors and descendants, or of its unit or container.
  std::size_t gpu_handles(ProcessId process);
  // Whether one of those processes could not be looked at.
  bool has_unread_relative(ProcessId process);

 private:
  // What some processes count for, spread over their relatives.
  struct Tally {
    std::unordered_map<ProcessId, std::size_t> own;
    std::unordered_map<ProcessId, std::size_t> below;  // of the descendants
    std::unordered_map<std::string, std::size_t> in_group;
  };
  void prepare();
  void add(Tally& tally, ProcessId process, std::size_t count) const;
  std::size_t sum(const Tally& tally, ProcessId process) const;

  const ProcessFacts& facts_;
  bool prepared_ = false;
  Tally held_;
  Tally unread_;
};

// Programs that only pass connections on: docker-proxy, rootlessport, socat, …
bool is_port_forwarder(std::string_view process_name);

}  // namespace gpuharden
