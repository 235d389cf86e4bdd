// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/firewall_facts.h"

#include <linux/netfilter.h>

#include "checks/network/host_sockets.h"
#include "engine/base/text.h"
#include "engine/native/link_programs.h"

namespace gpuharden {
namespace {

constexpr std::size_t kTableCap = std::size_t{16} << 20U;
constexpr std::size_t kServiceHeader = 3;  // lines of /proc/net/ip_vs before the first service

// A file of /proc/net of process 1, whose namespace is the host's; nothing when there is no such file.
Result<std::optional<std::string>> proc_net(const Files& files, std::string_view name) {
  for (const auto* folder : {"/proc/1/net/", "/proc/net/"}) {
    const auto file = files.read(concat({folder, name}), kTableCap);
    if (file && file->truncated) return Error{ErrorCode::kTooLarge, concat({folder, name, ": too large"})};
    if (file) return std::optional(file->bytes);
    if (file.error().code != ErrorCode::kNotFound) return file.error();
  }
  return std::optional<std::string>();
}

class Reader {
 public:
  explicit Reader(const Host& host) : host_(host), files_(host.files()) {}

  FirewallFacts read() {
    if (!is_in_host_namespace(files_)) {
      facts_.error = Error{ErrorCode::kUnsupported, "nf_tables: this process is not in the host's network namespace"};
      return std::move(facts_);
    }
    read_filter();
    read_legacy("ip_tables_names", facts_.ipv4);
    read_legacy("ip6_tables_names", facts_.ipv6);
    read_virtual_servers();
    read_addresses();
    return std::move(facts_);
  }

 private:
  void read_filter() {
    const auto dump = host_.packet_filter();
    auto ruleset = dump ? decode_nft(dump->rules) : Result<NftRuleset>(dump.error());
    const auto links = dump ? decode_link_programs(dump->links) : Result<std::vector<LinkPrograms>>(dump.error());
    if (!ruleset || !links) {
      facts_.error = !ruleset ? ruleset.error() : links.error();
      return;
    }
    facts_.program = std::make_shared<const FilterProgram>(std::move(*ruleset));
    facts_.sets = std::make_shared<const SetIndex>(facts_.program->ruleset());
    for (const auto& link : *links) {
      if (link.has_xdp) bypass(concat({"an XDP program on ", link.name}));
      if (link.has_ingress) bypass(concat({"traffic control at the entrance of ", link.name}));
    }
  }

  void bypass(const std::string& what) {
    facts_.ipv4.bypasses.push_back(what);
    facts_.ipv6.bypasses.push_back(what);
  }

  void read_legacy(std::string_view file, FamilyFacts& family) {
    const auto names = proc_net(files_, file);
    if (!names) return facts_.gaps.push_back(kernel_error(names.error()));
    const auto words = split_words(names->has_value() ? std::string_view(**names) : std::string_view());
    std::vector<std::string> tables(words.begin(), words.end());
    if (tables.empty()) return;
    family.has_legacy = true;
    family.bypasses.push_back(concat({"legacy iptables (", join(tables, ", "), ")"}));
  }

  void read_virtual_servers() {
    const auto text = proc_net(files_, "ip_vs");
    if (!text) return facts_.gaps.push_back(kernel_error(text.error()));
    const auto lines = text->has_value() ? split(std::string_view(**text), '\n') : std::vector<std::string_view>();
    for (std::size_t i = kServiceHeader; i < lines.size(); ++i) {
      if (!trim(lines[i]).empty()) return bypass("virtual servers (IPVS)");
    }
  }

  void read_addresses() {
    read_addresses("fib_trie", &parse_local4, facts_.ipv4);
    read_addresses("if_inet6", &parse_local6, facts_.ipv6);
    if (const auto text = proc_net(files_, "route"); text && text->has_value())
      facts_.ipv4.routes = parse_routes4(**text);
    if (const auto text = proc_net(files_, "ipv6_route"); text && text->has_value())
      facts_.ipv6.routes = parse_routes6(**text);
  }

  void read_addresses(std::string_view file, std::set<std::string> (*parse)(std::string_view), FamilyFacts& family) {
    const auto text = proc_net(files_, file);
    if (text && text->has_value()) {
      family.addresses = parse(**text);
    } else {
      family.address_error =
          text ? Error{ErrorCode::kNotFound, concat({"/proc/net/", file, ": is not there"})} : text.error();
    }
  }

  Error kernel_error(Error error) const {
    if (host_.kind() == HostKind::kImage) error.code = ErrorCode::kNotHeld;
    return error;
  }

  const Host& host_;
  const Files& files_;
  FirewallFacts facts_;
};

}  // namespace

const FamilyFacts& FirewallFacts::of(int family) const { return family == NFPROTO_IPV4 ? ipv4 : ipv6; }

PacketWay FirewallFacts::way(int family) const {
  const auto& facts = of(family);
  return {[&facts](const std::string& address) { return interface_of(facts.routes, address); },
          [&facts](const std::string& address) {
            return facts.addresses ? std::optional(facts.addresses->contains(address)) : std::nullopt;
          }};
}

FirewallFacts read_firewall(const Host& host) { return Reader(host).read(); }

}  // namespace gpuharden
