// SPDX-License-Identifier: GPL-2.0-or-later
// The packet filter of the host and all else that decides whether a packet gets in. Read once a reader.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checks/firewall/exposure.h"
#include "checks/firewall/filter_program.h"
#include "checks/firewall/host_routes.h"
#include "checks/firewall/rule_text.h"
#include "engine/host/host.h"

namespace gpuharden {

// What is known for one of IPv4 and IPv6.
struct FamilyFacts {
  std::vector<HostRoute> routes;
  std::optional<std::set<std::string>> addresses;  // the host's own; nothing when they could not be read
  std::optional<Error> address_error;
  std::vector<std::string> bypasses;  // what else may filter or take packets: "legacy iptables (filter)"
  bool has_legacy = false;            // rules of the old iptables
};

struct FirewallFacts {
  std::shared_ptr<const FilterProgram> program;  // empty when `error` says why
  std::shared_ptr<const SetIndex> sets;
  std::optional<Error> error;
  FamilyFacts ipv4, ipv6;
  std::vector<Error> gaps;  // of what could bypass it

  const FamilyFacts& of(int family) const;
  // The routes and addresses of one family; refers to this object.
  PacketWay way(int family) const;
};

// For SharedFacts.
FirewallFacts read_firewall(const Host& host);

}  // namespace gpuharden
