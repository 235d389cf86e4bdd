// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a remote peer reaches a port of this host through the packet filter.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/firewall/filter_program.h"
#include "checks/firewall/filter_run.h"

namespace gpuharden {

enum class Verdict : std::uint8_t {
  kOpen,        // every first packet of a connection gets through
  kRestricted,  // it depends on who sends it, over which interface, or to which address of the host
  kBlocked,     // none gets through
  kUnknown,
};
std::string_view to_string(Verdict verdict);

struct PortExposure {
  Verdict verdict = Verdict::kOpen;
  const NftRule* decided_by = nullptr;     // the rule that decided; nullptr where a policy or nothing did
  const FilterChain* policy_of = nullptr;  // the chain whose policy decided
  std::vector<Translation> translations;   // where the packet may be sent instead
  bool may_reach_host = false;             // some packet gets to a socket of this host
  bool is_exhausted = false;
};

// What of the machine the way of a packet depends on.
struct PacketWay {
  // The interface behind which an address lies; "" when it is not known.
  std::function<std::string(const std::string& address)> interface_of;
  // Whether an address is one of this host's; nothing when it is not known.
  std::function<std::optional<bool>(const std::string& address)> is_local;
};

struct ExposureQuestion {
  int family = 0;             // NFPROTO_IPV4 or NFPROTO_IPV6
  std::uint8_t protocol = 0;  // IPPROTO_TCP or IPPROTO_UDP
  std::uint16_t port = 0;
  Sender sender = Sender::kAnyone;
  std::string in_interface;  // "" for any but lo
};
PortExposure find_exposure(const FilterProgram& program, const PacketWay& way, const ExposureQuestion& question);

}  // namespace gpuharden
