// SPDX-License-Identifier: GPL-2.0-or-later
// Whether packets from outside get to a port.
#include <linux/in.h>
#include <linux/netfilter.h>

#include <algorithm>

#include "checks/firewall/firewall_facts.h"
#include "checks/network/inet_address.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"protocol", ColumnType::kText, "tcp or udp", ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"port", ColumnType::kText, "the port that a peer asks for", ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "\"tcp 11434 ipv4\"", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"family", ColumnType::kText, "ipv4 or ipv6: of the packets", ColumnFlag::kNotNull},
    {"verdict", ColumnType::kText,
     "blocked: no first packet of a connection gets through, whoever sends it over whatever interface but lo. open: "
     "each does. restricted: it depends on sender, interface or address of the host. unknown: it cannot be told",
     ColumnFlag::kNotNull},
    {"strangers", ColumnType::kText,
     "the same for senders whose address no rule names (networks shorter than /8, or /16 of IPv6, name nobody); open "
     "already when it is so over the interface of the default route",
     ColumnFlag::kNotNull},
    {"decided_by", ColumnType::kText, "the rule or policy that decided, or what else filters; NULL where nothing does"},
    {"published_to", ColumnType::kText,
     "JSON list of addresses and ports that the packet may be sent on to (DNAT, redirect)", ColumnFlag::kNotNull},
    {"reaches_host", ColumnType::kBoolean, "whether some packet gets to a socket of the host itself",
     ColumnFlag::kNotNull},
    {"has_addresses", ColumnType::kBoolean,
     "whether the host has an address of the family beyond loopback; NULL when that cannot be told"},
};

bool is_beyond_loopback(const std::string& address) { return address_exposure(address) != "loopback"; }

std::string target_text(const Translation& translation, std::uint16_t port) {
  const std::string address = translation.to_this_host   ? "this host"
                              : translation.address      ? address_text(*translation.address)
                              : translation.sets_address ? "unknown"
                                                         : "this host";
  const std::string to = !translation.sets_port ? std::to_string(port)
                         : translation.port     ? std::to_string(*translation.port)
                                                : "unknown";
  const bool is_ipv6 = address.find(':') != std::string::npos;
  return concat({is_ipv6 ? "[" : "", address, is_ipv6 ? "]" : "", ":", to});
}

class ExposureReader {
 public:
  explicit ExposureReader(TableReader& out)
      : out_(out), facts_(out.shared().get<FirewallFacts>(out.host(), &read_firewall)) {}

  void read() {
    const auto protocol = out_.argument("protocol");
    const auto port = parse_unsigned(out_.argument("port"));
    if ((protocol != "tcp" && protocol != "udp") || !port || *port == 0 || *port > UINT16_MAX) {
      return out_.gap({ErrorCode::kMalformed, concat({"firewall_exposure needs tcp or udp and a port, not \"", protocol,
                                                      "\" and \"", out_.argument("port"), "\""})});
    }
    if (facts_.error) return out_.gap(*facts_.error);
    for (const auto& error : facts_.gaps) out_.gap(error);
    for (const int family : {NFPROTO_IPV4, NFPROTO_IPV6}) add(family, protocol, static_cast<std::uint16_t>(*port));
  }

 private:
  void add(int family, std::string_view protocol, std::uint16_t port) {
    const auto number = static_cast<std::uint8_t>(protocol == "tcp" ? IPPROTO_TCP : IPPROTO_UDP);
    const auto anyone = ask({family, number, port, Sender::kAnyone, ""});
    const auto stranger = strangers(anyone, {family, number, port, Sender::kStranger, ""});
    const auto& bypasses = facts_.of(family).bypasses;
    std::vector<std::string> targets;
    for (const auto& translation : anyone.translations) {
      auto text = target_text(translation, port);
      if (std::find(targets.begin(), targets.end(), text) == targets.end()) targets.push_back(std::move(text));
    }
    auto row = out_.row();
    const std::string_view family_name = family == NFPROTO_IPV4 ? "ipv4" : "ipv6";
    row.set("protocol", protocol)
        .set("port", std::to_string(port))
        .set("name", concat({protocol, " ", std::to_string(port), " ", family_name}))
        .set("family", family_name)
        .set("verdict", to_string(bypasses.empty() ? anyone.verdict : Verdict::kUnknown))
        .set("strangers", to_string(bypasses.empty() ? stranger : Verdict::kUnknown))
        .set("published_to", json_list(targets))
        .set("reaches_host", anyone.may_reach_host || !bypasses.empty());
    if (!bypasses.empty()) {
      row.set("decided_by", join(bypasses, ", "));
    } else {
      row.set("decided_by", decision_text(anyone));
    }
    set_addresses(row, family);
  }

  PortExposure ask(const ExposureQuestion& question) const {
    return find_exposure(*facts_.program, facts_.way(question.family), question);
  }

  // Shut is what is shut on every interface; open what is open where the default route leads.
  Verdict strangers(const PortExposure& anyone, ExposureQuestion question) const {
    if (anyone.verdict == Verdict::kOpen || anyone.verdict == Verdict::kBlocked) return anyone.verdict;
    if (anyone.is_exhausted) return Verdict::kUnknown;
    const auto everywhere = ask(question).verdict;
    question.in_interface = default_interface(facts_.of(question.family).routes);
    if (everywhere == Verdict::kBlocked || question.in_interface.empty()) return everywhere;
    return ask(question).verdict == Verdict::kOpen ? Verdict::kOpen : everywhere;
  }

  std::optional<std::string> decision_text(const PortExposure& exposure) const {
    if (exposure.is_exhausted) return "too many rules to follow";
    if (exposure.decided_by != nullptr)
      return concat({rule_name(*exposure.decided_by), ": ", summarise(*exposure.decided_by, *facts_.sets).text});
    if (exposure.policy_of != nullptr) return concat({chain_name(*exposure.policy_of->chain), ": its policy"});
    return std::nullopt;
  }

  void set_addresses(Row& row, int family) {
    const auto& facts = facts_.of(family);
    if (facts.addresses) {
      row.set("has_addresses", std::any_of(facts.addresses->begin(), facts.addresses->end(), &is_beyond_loopback));
    } else if (family == NFPROTO_IPV6 && facts.address_error->code == ErrorCode::kNotFound && facts_.ipv4.addresses) {
      row.set("has_addresses", false);  // a kernel without IPv6
    } else {
      row.unread("has_addresses", *facts.address_error);
    }
  }

  TableReader& out_;
  const FirewallFacts& facts_;
};

void read_firewall_exposure(TableReader& out) { ExposureReader(out).read(); }

}  // namespace

Probe firewall_exposure_probe() {
  return {
      {"firewall_exposure",
       "What becomes of the first packet of a connection from outside to a port, one row for IPv4 and one for IPv6: "
       "firewall_exposure('tcp', '11434'). Follows every base chain of the kernel's nf_tables, also what "
       "iptables-nft, ufw, firewalld and Docker put there; translated packets are followed too. Where legacy "
       "iptables, IPVS, XDP or traffic control have a say, the verdict is unknown.",
       kColumns},
      &read_firewall_exposure};
}

}  // namespace gpuharden
