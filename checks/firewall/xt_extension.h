// SPDX-License-Identifier: GPL-2.0-or-later
// Matches and targets of xtables that iptables-nft leaves in rules: what Docker, kube-proxy, ufw and fail2ban write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checks/firewall/packet.h"
#include "engine/native/nft.h"

namespace gpuharden {

struct XtExtension {
  std::string name;
  std::uint64_t revision = 0;
  std::string info;  // the extension's own structure, as the kernel has it
};

// Of a "match" or "target" expression.
XtExtension xt_extension_of(const NftExpression& expression);

// Whether a packet has what the match asks for; in doubt kDoubtOther.
Match xt_matches(const XtExtension& match, const Packet& packet);
// As iptables would write it, near enough to be recognised.
std::string xt_match_text(const XtExtension& match);

enum class XtTargetKind : std::uint8_t {
  kContinue,
  kDrop,
  kAccept,
  kTranslate,
  kMark,
  kForgetMark,
  kUntrack,
  kUnknown
};
struct XtTarget {
  XtTargetKind kind = XtTargetKind::kUnknown;
  // Of kTranslate, where they are set and single.
  bool to_this_host = false;  // REDIRECT
  bool sets_address = false, sets_port = false;
  std::optional<std::string> address;  // bytes
  std::optional<std::uint16_t> port;
  // Of kMark: the new mark is (old & ~mask) ^ value.
  std::uint32_t value = 0, mask = 0;
};
XtTarget xt_target_of(const XtExtension& target, int family);
std::string xt_target_text(const XtExtension& target, int family);

}  // namespace gpuharden
