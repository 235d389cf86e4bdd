// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/xt_CT.h>
#include <linux/netfilter/xt_mark.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "checks/firewall/xt_extension.h"
#include "checks/network/inet_address.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// They change nothing that decides, and the next rule is looked at.
constexpr std::array<std::string_view, 20> kHarmless = {
    "AUDIT",   "CHECKSUM", "CLASSIFY", "DSCP",        "HL",  "IDLETIMER", "LED",   "LOG", "NFLOG", "RATEEST",
    "SECMARK", "SET",      "TCPMSS",   "TCPOPTSTRIP", "TEE", "TOS",       "TRACE", "TTL", "ULOG",  "CONNSECMARK"};

template <typename Struct>
bool read(std::string_view bytes, Struct& out) {
  if (bytes.size() < sizeof out) return false;
  std::memcpy(&out, bytes.data(), sizeof out);
  return true;
}

struct Range {
  unsigned flags = 0;
  std::string low, high;  // addresses
  std::uint16_t low_port = 0, high_port = 0;
};

std::string address_bytes(const void* address, std::size_t size) { return {static_cast<const char*>(address), size}; }

template <typename Source>
Range range_of(const Source& source, int family) {
  const std::size_t size = family == NFPROTO_IPV4 ? 4 : 16;
  return {source.flags, address_bytes(&source.min_addr, size), address_bytes(&source.max_addr, size),
          ntohs(source.min_proto.all), ntohs(source.max_proto.all)};
}

std::optional<Range> range_of(const XtExtension& target, int family) {
  nf_nat_range2 newest{};
  nf_nat_range newer{};
  nf_nat_ipv4_multi_range_compat old{};
  const bool is_old = target.revision == 0 && family == NFPROTO_IPV4;
  if (is_old) {
    if (!read(target.info, old)) return std::nullopt;
    const auto& one = old.range[0];
    return Range{one.flags, address_bytes(&one.min_ip, 4), address_bytes(&one.max_ip, 4), ntohs(one.min.all),
                 ntohs(one.max.all)};
  }
  if (target.revision >= 2) return read(target.info, newest) ? std::optional(range_of(newest, family)) : std::nullopt;
  return read(target.info, newer) ? std::optional(range_of(newer, family)) : std::nullopt;
}

XtTarget translation_of(const XtExtension& target, int family) {
  XtTarget out;
  out.kind = XtTargetKind::kTranslate;
  out.to_this_host = target.name == "REDIRECT";
  const auto range = range_of(target, family);
  if (!range || (range->flags & NF_NAT_RANGE_PROTO_OFFSET) != 0) {
    out.sets_address = out.sets_port = true;  // to what is not known
    return out;
  }
  out.sets_address = (range->flags & NF_NAT_RANGE_MAP_IPS) != 0;
  out.sets_port = (range->flags & NF_NAT_RANGE_PROTO_SPECIFIED) != 0;
  if (out.sets_address && range->low == range->high) out.address = range->low;
  if (out.sets_port && range->low_port == range->high_port) out.port = range->low_port;
  return out;
}

}  // namespace

XtTarget xt_target_of(const XtExtension& target, int family) {
  XtTarget out;
  const auto& name = target.name;
  if (name == "DNAT" || name == "REDIRECT") return translation_of(target, family);
  if (name == "REJECT") out.kind = XtTargetKind::kDrop;
  if (name == "MASQUERADE" || name == "SNAT") out.kind = XtTargetKind::kAccept;
  if (name == "NOTRACK") out.kind = XtTargetKind::kUntrack;
  if (name == "CONNMARK") out.kind = XtTargetKind::kForgetMark;
  if (name == "CT") {
    xt_ct_target_info info{};
    const bool is_read = read(target.info, info);
    out.kind = !is_read || (info.flags & XT_CT_NOTRACK) != 0 ? XtTargetKind::kUntrack : XtTargetKind::kContinue;
  }
  if (name == "MARK") {
    xt_mark_tginfo2 info{};
    const bool is_read = target.revision == 2 && read(target.info, info);
    out.kind = is_read ? XtTargetKind::kMark : XtTargetKind::kForgetMark;
    out.value = info.mark;
    out.mask = info.mask;
  }
  if (std::find(kHarmless.begin(), kHarmless.end(), name) != kHarmless.end()) out.kind = XtTargetKind::kContinue;
  return out;
}

std::string xt_target_text(const XtExtension& target, int family) {
  std::string out = "-j " + target.name;
  const auto what = xt_target_of(target, family);
  if (what.kind != XtTargetKind::kTranslate) return out;
  const std::string port = what.port ? std::to_string(*what.port) : what.sets_port ? "?" : "";
  if (what.to_this_host) return port.empty() ? out : concat({out, " --to-ports ", port});
  const std::string address = what.address ? address_text(*what.address) : what.sets_address ? "?" : "";
  const bool is_ipv6 = address.find(':') != std::string::npos;
  return concat(
      {out, " --to-destination ", is_ipv6 ? "[" : "", address, is_ipv6 ? "]" : "", port.empty() ? "" : ":", port});
}

}  // namespace gpuharden
