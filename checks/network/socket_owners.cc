// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/network/socket_owners.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Takes out of `wanted` what this process holds.
void take_sockets(const ProcessHandles& handles, ProcessId process, std::unordered_set<std::uint64_t>& wanted,
                  SocketOwners& owners) {
  for (const auto inode : handles.sockets) {
    if (wanted.erase(inode) > 0) owners.by_inode.emplace(inode, process);
  }
}

// "" where the group of processes says nothing: sessions and the managers hold unrelated programs.
std::string shared_group(const ProcessGroup& group) {
  if (group.container) return concat({"container ", *group.container});
  const bool is_service = group.unit && group.unit->ends_with(".service") && !group.unit->starts_with("user@");
  return is_service ? concat({"unit ", *group.unit}) : "";
}

}  // namespace

SocketOwners find_socket_owners(const ProcessFacts& facts, const std::vector<ProcessId>& processes,
                                std::unordered_set<std::uint64_t> inodes) {
  SocketOwners owners;
  inodes.erase(0);
  for (const auto process : processes) {
    if (inodes.empty()) return owners;
    if (process == 1) continue;
    const auto& handles = facts.handles(process);
    if (handles.error && !owners.error) owners.error = handles.error;
    take_sockets(handles, process, inodes, owners);
  }
  const bool has_first = !processes.empty() && processes.front() == 1;
  if (inodes.empty() || !has_first) return owners;
  const auto& handles = facts.handles(1);
  if (handles.error && !owners.error) owners.error = handles.error;
  take_sockets(handles, 1, inodes, owners);
  return owners;
}

ProcessIdentity OwnerFacts::identity(ProcessId process) const {
  ProcessIdentity identity;
  if (const auto& name = facts_.name(process)) identity.name = *name;
  if (const auto& executable = facts_.executable(process)) identity.executable = without_deleted(*executable);
  if (const auto& arguments = facts_.arguments(process)) identity.arguments = *arguments;
  return identity;
}

ServiceMatch OwnerFacts::find(ProcessId process) const {
  const auto own = identity(process);
  if (const auto* service = find_service(own)) return {service, "process"};
  // docker-proxy is a child of dockerd and serves a container.
  if (is_port_forwarder(own.name)) return {};
  for (const auto ancestor : facts_.ancestors(process)) {
    const auto* service = find_service(identity(ancestor));
    if (service != nullptr && service->kind != "control") return {service, "process"};
  }
  const auto& group = facts_.group(process);
  if (!group || !group->unit || !group->unit->ends_with(".service")) return {};
  ProcessIdentity unit;
  unit.name = group->unit->substr(0, group->unit->size() - std::string_view(".service").size());
  const auto* service = find_service(unit);
  return service != nullptr && service->kind != "control" ? ServiceMatch{service, "unit"} : ServiceMatch{};
}

void OwnerFacts::add(Tally& tally, ProcessId process, std::size_t count) const {
  tally.own[process] = count;
  for (const auto ancestor : facts_.ancestors(process)) tally.below[ancestor] += count;
  const auto& group = facts_.group(process);
  const auto name = group ? shared_group(*group) : "";
  if (!name.empty()) tally.in_group[name] += count;
}

void OwnerFacts::prepare() {
  if (prepared_) return;
  prepared_ = true;
  for (const auto& [process, count] : facts_.gpu_holders()) add(held_, process, count);
  for (const auto process : facts_.unread_holders()) add(unread_, process, 1);
}

std::size_t OwnerFacts::sum(const Tally& tally, ProcessId process) const {
  if (tally.own.empty()) return 0;
  const auto count_of = [](const auto& counts, const auto& key) {
    const auto found = counts.find(key);
    return found == counts.end() ? std::size_t{0} : found->second;
  };
  std::size_t in_tree = count_of(tally.own, process) + count_of(tally.below, process);
  for (const auto ancestor : facts_.ancestors(process)) in_tree += count_of(tally.own, ancestor);
  const auto& group = facts_.group(process);
  const auto in_group = group ? count_of(tally.in_group, shared_group(*group)) : 0;
  return std::max(in_tree, in_group);
}

std::size_t OwnerFacts::gpu_handles(ProcessId process) {
  prepare();
  return sum(held_, process);
}

bool OwnerFacts::has_unread_relative(ProcessId process) {
  prepare();
  return sum(unread_, process) > 0;
}

bool is_port_forwarder(std::string_view process_name) {
  static constexpr std::array<std::string_view, 8> kForwarders = {
      "docker-proxy", "rootlessport", "slirp4netns", "pasta", "pasta.avx2", "socat", "conmon", "systemd-socket-"};
  return std::find(kForwarders.begin(), kForwarders.end(), process_name) != kForwarders.end();
}

}  // namespace gpuharden
