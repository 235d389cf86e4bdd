// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/xt_extension.h"

#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>
#include <linux/netfilter/xt_addrtype.h>
#include <linux/netfilter/xt_conntrack.h>
#include <linux/netfilter/xt_mark.h>
#include <linux/netfilter/xt_multiport.h>
#include <linux/netfilter/xt_state.h>
#include <linux/netfilter/xt_tcpudp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

// The structure at the beginning of `bytes`, which the kernel fills up to a multiple of eight.
template <typename Struct>
std::optional<Struct> read(std::string_view bytes) {
  Struct out{};
  if (bytes.size() < sizeof out) return std::nullopt;
  std::memcpy(&out, bytes.data(), sizeof out);
  return out;
}

Match inverted(Match match, bool is_inverted) { return is_inverted ? match.negated() : match; }

Match port_in(std::optional<std::uint16_t> port, unsigned from, unsigned to) {
  if (from == 0 && to == 0xffff) return Match::yes();
  return port ? Match::of(*port >= from && *port <= to) : Match::maybe(kDoubtOther);
}

Match source_port_in(unsigned from, unsigned to) {
  return from == 0 && to == 0xffff ? Match::yes() : Match::maybe(kDoubtOther);
}

Match matches_tcp(const xt_tcp& tcp, const Packet& packet) {
  if (packet.protocol != IPPROTO_TCP) return Match::no();
  Match match = inverted(source_port_in(tcp.spts[0], tcp.spts[1]), (tcp.invflags & XT_TCP_INV_SRCPT) != 0);
  match = match & inverted(port_in(packet.port_now, tcp.dpts[0], tcp.dpts[1]), (tcp.invflags & XT_TCP_INV_DSTPT) != 0);
  constexpr unsigned kOpening = 0x17;  // FIN SYN RST ACK
  constexpr unsigned kSyn = 0x02;
  if (tcp.flg_mask != 0) {
    const unsigned known = tcp.flg_mask & kOpening;
    Match flags = Match::of((kSyn & known) == (tcp.flg_cmp & known));
    if (flags.may_hold && known != tcp.flg_mask) flags = Match::maybe(kDoubtOther);
    match = match & inverted(flags, (tcp.invflags & XT_TCP_INV_FLAGS) != 0);
  }
  return tcp.option == 0 ? match : match & Match::maybe(kDoubtOther);
}

Match matches_udp(const xt_udp& udp, const Packet& packet) {
  if (packet.protocol != IPPROTO_UDP) return Match::no();
  return inverted(source_port_in(udp.spts[0], udp.spts[1]), (udp.invflags & XT_UDP_INV_SRCPT) != 0) &
         inverted(port_in(packet.port_now, udp.dpts[0], udp.dpts[1]), (udp.invflags & XT_UDP_INV_DSTPT) != 0);
}

Match matches_multiport(const xt_multiport_v1& ports, const Packet& packet) {
  if (ports.flags != XT_MULTIPORT_DESTINATION || !packet.port_now || ports.count > XT_MULTI_PORTS)
    return Match::maybe(kDoubtOther);
  bool found = false;
  for (unsigned i = 0; i < ports.count; ++i) {
    const unsigned from = ports.ports[i];
    const bool is_range = ports.pflags[i] != 0 && i + 1U < ports.count;
    found = found || (*packet.port_now >= from && *packet.port_now <= (is_range ? ports.ports[i + 1] : from));
    if (is_range) ++i;
  }
  return inverted(Match::of(found), ports.invert != 0);
}

// `mask` holds NFT_CT_STATE bits; 64 and 128 mean translated source and destination.
Match matches_state(unsigned mask, const Packet& packet) {
  const auto state = connection_state(packet);
  if (!state) return Match::maybe(kDoubtOther);
  unsigned now = *state;
  if (packet.is_translated) now |= XT_CONNTRACK_STATE_DNAT;
  return Match::of((mask & now) != 0);
}

Match matches_conntrack(const XtExtension& match, const Packet& packet) {
  if (match.revision < 1 || match.revision > 3) return Match::maybe(kDoubtOther);
  const auto first = read<xt_conntrack_mtinfo1>(match.info);
  if (!first || (match.revision > 1 && match.info.size() < offsetof(xt_conntrack_mtinfo3, origsrc_port_high)))
    return Match::maybe(kDoubtOther);
  unsigned states = first->state_mask;
  if (match.revision > 1)
    std::memcpy(&states, match.info.data() + offsetof(xt_conntrack_mtinfo3, state_mask), sizeof(std::uint16_t));
  if (match.revision > 1) states &= 0xffffU;
  Match result = Match::yes();
  if ((first->match_flags & XT_CONNTRACK_STATE) != 0)
    result = inverted(matches_state(states, packet), (first->invert_flags & XT_CONNTRACK_STATE) != 0);
  constexpr unsigned kUnderstood = XT_CONNTRACK_STATE | XT_CONNTRACK_STATE_ALIAS;
  return (first->match_flags & ~kUnderstood) == 0 ? result : result & Match::maybe(kDoubtOther);
}

struct AddressTypes {
  unsigned source = 0, destination = 0;
  bool invert_source = false, invert_destination = false, has_interface = false;
};

std::optional<AddressTypes> address_types(const XtExtension& match) {
  if (match.revision == 0) {
    const auto info = read<xt_addrtype_info>(match.info);
    if (!info) return std::nullopt;
    return AddressTypes{info->source, info->dest, info->invert_source != 0, info->invert_dest != 0, false};
  }
  const auto info = read<xt_addrtype_info_v1>(match.info);
  if (!info) return std::nullopt;
  return AddressTypes{info->source, info->dest, (info->flags & XT_ADDRTYPE_INVERT_SOURCE) != 0,
                      (info->flags & XT_ADDRTYPE_INVERT_DEST) != 0,
                      (info->flags & (XT_ADDRTYPE_LIMIT_IFACE_IN | XT_ADDRTYPE_LIMIT_IFACE_OUT)) != 0};
}

Match matches_address_type(const XtExtension& match, const Packet& packet) {
  const auto types = address_types(match);
  if (!types || types->has_interface) return Match::maybe(kDoubtOther);
  Match result = Match::yes();
  if (types->source != 0) result = Match::maybe(kDoubtSource);
  if (types->destination == 0) return result;
  const Match local =
      packet.is_translated ? Match::maybe(kDoubtOther) : Match::of((types->destination & XT_ADDRTYPE_LOCAL) != 0);
  return result & inverted(local, types->invert_destination);
}

Match matches_mark(const XtExtension& match, const Packet& packet) {
  const auto info = read<xt_mark_mtinfo1>(match.info);
  const auto mark = match.name == "mark" ? packet.marks.mark : packet.marks.connection_mark;
  if (!info || match.revision != 1 || !mark) return Match::maybe(kDoubtOther);
  return inverted(Match::of((*mark & info->mask) == info->mark), info->invert != 0);
}

std::string port_range(const std::uint16_t* ports) {
  return ports[0] == ports[1] ? std::to_string(ports[0])
                              : concat({std::to_string(ports[0]), ":", std::to_string(ports[1])});
}

template <typename Ports>
std::string ports_text(const Ports& ports) {
  std::string out;
  if (ports.spts[0] != 0 || ports.spts[1] != 0xffff)
    out += concat({(ports.invflags & XT_TCP_INV_SRCPT) != 0 ? " !" : "", " --sport ", port_range(ports.spts)});
  if (ports.dpts[0] != 0 || ports.dpts[1] != 0xffff)
    out += concat({(ports.invflags & XT_TCP_INV_DSTPT) != 0 ? " !" : "", " --dport ", port_range(ports.dpts)});
  return out;
}

std::string multiport_text(const xt_multiport_v1& ports) {
  std::string out =
      concat({ports.invert != 0 ? " !" : "", ports.flags == XT_MULTIPORT_SOURCE ? " --sports " : " --dports "});
  for (unsigned i = 0; i < std::min<unsigned>(ports.count, XT_MULTI_PORTS); ++i)
    out += std::to_string(ports.ports[i]) + (i + 1U == ports.count ? "" : ports.pflags[i] != 0 ? ":" : ",");
  return out;
}

std::string state_text(const XtExtension& match) {
  constexpr std::array<std::pair<unsigned, std::string_view>, 7> kStates = {{{1, "INVALID"},
                                                                             {2, "ESTABLISHED"},
                                                                             {4, "RELATED"},
                                                                             {8, "NEW"},
                                                                             {64, "SNAT"},
                                                                             {128, "DNAT"},
                                                                             {256, "UNTRACKED"}}};
  std::uint16_t mask = 0;
  if (match.info.size() < offsetof(xt_conntrack_mtinfo3, state_mask) + sizeof mask) return "";
  std::memcpy(&mask, match.info.data() + offsetof(xt_conntrack_mtinfo3, state_mask), sizeof mask);
  std::vector<std::string> names;
  for (const auto& [bit, name] : kStates) {
    if ((mask & bit) != 0) names.emplace_back(name);
  }
  return names.empty() ? "" : " --ctstate " + join(names, ",");
}

}  // namespace

XtExtension xt_extension_of(const NftExpression& expression) {
  // Matches and targets have the same attributes.
  XtExtension extension;
  if (const auto* name = expression.find(NFTA_MATCH_NAME)) extension.name = text_until_nul(*name);
  if (const auto* info = expression.find(NFTA_MATCH_INFO)) extension.info = *info;
  extension.revision = expression.number(NFTA_MATCH_REV).value_or(0);
  return extension;
}

Match xt_matches(const XtExtension& match, const Packet& packet) {
  const auto tcp = match.name == "tcp" ? read<xt_tcp>(match.info) : std::nullopt;
  const auto udp = match.name == "udp" ? read<xt_udp>(match.info) : std::nullopt;
  const auto ports = match.name == "multiport" ? read<xt_multiport_v1>(match.info) : std::nullopt;
  const auto state = match.name == "state" ? read<xt_state_info>(match.info) : std::nullopt;
  if (match.name == "comment") return Match::yes();
  if (packet.marks.is_changed) return Match::maybe(kDoubtOther);
  if (tcp) return matches_tcp(*tcp, packet);
  if (udp) return matches_udp(*udp, packet);
  if (ports && match.revision == 1) return matches_multiport(*ports, packet);
  if (state) return matches_state(state->statemask, packet);
  if (match.name == "conntrack") return matches_conntrack(match, packet);
  if (match.name == "addrtype") return matches_address_type(match, packet);
  if (match.name == "mark" || match.name == "connmark") return matches_mark(match, packet);
  if (match.name == "mac" || match.name == "rpfilter") return Match::maybe(kDoubtSource);
  if (match.name == "physdev" || match.name == "devgroup") return Match::maybe(kDoubtInterface);
  return Match::maybe(kDoubtOther);
}

std::string xt_match_text(const XtExtension& match) {
  std::string out = "-m " + match.name;
  const auto tcp = match.name == "tcp" ? read<xt_tcp>(match.info) : std::nullopt;
  const auto udp = match.name == "udp" ? read<xt_udp>(match.info) : std::nullopt;
  const auto ports = match.name == "multiport" ? read<xt_multiport_v1>(match.info) : std::nullopt;
  if (tcp) return out + ports_text(*tcp);
  if (udp) return out + ports_text(*udp);
  if (ports) return out + multiport_text(*ports);
  if (match.name == "conntrack" && match.revision > 1) return out + state_text(match);
  if (match.name == "comment") return concat({"/* ", text_until_nul(match.info), " */"});
  if (match.name != "addrtype") return out;
  const auto types = address_types(match);
  return types && types->destination == XT_ADDRTYPE_LOCAL
             ? concat({out, types->invert_destination ? " !" : "", " --dst-type LOCAL"})
             : out;
}

}  // namespace gpuharden
