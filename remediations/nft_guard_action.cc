// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/nft_guard.h"
#include "remediations/ssh_ports.h"

namespace gpuharden {
namespace {

constexpr std::string_view kInterfaces = "/sys/class/net";
// What container engines call the bridges that they make.
constexpr std::string_view kContainerBridges[] = {"docker0",  "br-????????????", "podman*", "cni*",
                                                  "nerdctl*", "lxcbr*",          "lxdbr*",  "incusbr*"};

// A bridge with a real interface in it is the network's, whatever it is called. That alone would not do: in a
// network's bridge there may be a bond or a VLAN, which have no device of their own.
bool is_of_containers(const Files& files, const std::string& name) {
  const bool is_called_so = std::any_of(std::begin(kContainerBridges), std::end(kContainerBridges),
                                        [&](std::string_view pattern) { return glob_match(pattern, name); });
  const auto ports = files.list(concat({kInterfaces, "/", name, "/brif"}));
  if (!is_called_so || !ports) return false;
  const auto entries = *ports;
  return std::none_of(entries.begin(), entries.end(), [&](const DirectoryEntry& port) {
    return files.stat(concat({kInterfaces, "/", port.name, "/device"})).has_value();
  });
}

// Those that are there, and Docker's own, which is there when Docker has started.
void add_bridges(const Files& files, std::vector<std::string>& bridges) {
  if (files.stat("/etc/docker") || files.stat("/usr/bin/dockerd")) add_once(bridges, "docker0");
  const auto interfaces = files.list(kInterfaces);
  if (!interfaces) return;
  const auto entries = *interfaces;
  for (const auto& entry : entries) {
    if (is_of_containers(files, entry.name)) add_once(bridges, entry.name);
  }
}

Result<GuardPlan> plan_so_far(Draft& draft) {
  GH_ASSIGN_OR_RETURN(const FileState found, draft.state(kGuardFile));
  return found.exists ? read_guard_file(found.bytes) : Result<GuardPlan>(GuardPlan{});
}

// A link that is there already would be followed, and the unit's file overwritten.
Status enable(Draft& draft) {
  for (const auto link : kGuardUnitLinks) {
    const std::string path = concat({"/etc/systemd/system/", link});
    if (draft.host().files().lstat(path)) continue;
    GH_RETURN_IF_ERROR(draft.put(path, new_link(std::string(kGuardUnitFile))));
  }
  draft.start_unit(std::string(kGuardUnit));
  return {};
}

std::string who_connects(const GuardPlan& plan) {
  std::string text = "only this host";
  if (!plan.bridges.empty()) text += concat({", containers on ", join(plan.bridges, ", ")});
  if (!plan.peers.empty()) text += concat({", ", join(plan.peers, ", ")});
  return text;
}

// One table for all ports: those of earlier requests and earlier runs stay.
Status plan(const FixRequest& request, Draft& draft) {
  const auto port = parse_unsigned(request.argument("port"));
  if (!port || *port == 0 || *port > 65535) return Error{ErrorCode::kMalformed, "not the number of a port"};
  if (ssh_ports(draft.host(), draft.shared()).contains(static_cast<std::uint16_t>(*port)))
    return Error{ErrorCode::kUnsupported, concat({"port ", std::to_string(*port), " is one of SSH's: never guarded"})};
  const auto& files = draft.host().files();
  if (!files.stat(kGuardLoader))
    return Error{ErrorCode::kUnsupported, "nftables is not installed: nothing would load the table at boot"};
  GH_ASSIGN_OR_RETURN(GuardPlan plan, plan_so_far(draft));
  if (std::find(plan.ports.begin(), plan.ports.end(), *port) == plan.ports.end())
    plan.ports.push_back(static_cast<std::uint16_t>(*port));
  const std::string peers = request.argument("peers");
  for (const auto peer : split_words(std::string_view(peers))) add_once(plan.peers, std::string(peer));
  add_bridges(files, plan.bridges);
  GH_ASSIGN_OR_RETURN(const std::string file, guard_file(plan));
  GH_ASSIGN_OR_RETURN(const std::string table, guard_table(plan));
  GH_RETURN_IF_ERROR(draft.load_table(table));
  GH_RETURN_IF_ERROR(draft.put(kGuardFile, new_file(file)));
  GH_RETURN_IF_ERROR(draft.put(kGuardUnitFile, new_file(guard_unit())));
  draft.risk(Risk::kLockout,
             concat({"TCP port ", std::to_string(*port), ": ", who_connects(plan), " may connect then"}));
  return enable(draft);
}

}  // namespace

Action nft_guard_action() {
  return {"nft_guard",
          "Keeps strangers from a TCP port by a table of our own, now and at boot: /etc/gpuharden/guard.nft",
          {{"port", "its number"}, {"peers", "addresses and networks that may connect, parted by blanks", false}},
          &plan};
}

}  // namespace gpuharden
