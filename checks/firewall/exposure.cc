// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/exposure.h"

#include <linux/in.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>

#include <algorithm>

namespace gpuharden {
namespace {

constexpr std::uint32_t kIngress = NF_INET_INGRESS;
constexpr std::size_t kMaxWays = 512;

bool sees_family(const NftChain& chain, int family) {
  return chain.family == family || chain.family == NFPROTO_INET || chain.family == NFPROTO_NETDEV;
}

bool is_of_hook(const NftChain& chain, std::uint32_t hook) {
  if (chain.family == NFPROTO_NETDEV) return hook == kIngress && chain.hook->number == NF_NETDEV_INGRESS;
  return chain.hook->number == hook;
}

// Chains of type nat run where translation happens, whatever their own priority.
std::int32_t place_of(const NftChain& chain) {
  if (chain.type != "nat") return chain.hook->priority;
  return chain.hook->number == NF_INET_PRE_ROUTING || chain.hook->number == NF_INET_LOCAL_OUT ? NF_IP_PRI_NAT_DST
                                                                                              : NF_IP_PRI_NAT_SRC;
}

using Chains = std::vector<const FilterChain*>;

Chains chains_of(const FilterProgram& program, int family, std::uint32_t hook) {
  Chains chains;
  for (const auto* chain : program.base_chains()) {
    if (sees_family(*chain->chain, family) && is_of_hook(*chain->chain, hook)) chains.push_back(chain);
  }
  std::stable_sort(chains.begin(), chains.end(), [](const FilterChain* a, const FilterChain* b) {
    const auto left = place_of(*a->chain);
    const auto right = place_of(*b->chain);
    return left != right ? left < right : a->chain->hook->priority < b->chain->hook->priority;
  });
  return chains;
}

// What could happen to packets on the link, below IP, is only known to be nothing where there is no rule.
bool is_idle(const FilterChain& chain) {
  return chain.rules.empty() && chain.chain->policy.value_or(NF_ACCEPT) == NF_ACCEPT;
}

class Walk {
 public:
  Walk(const FilterProgram& program, const PacketWay& way, int family)
      : program_(program),
        way_(way),
        ingress_(chains_of(program, family, kIngress)),
        prerouting_(chains_of(program, family, NF_INET_PRE_ROUTING)),
        input_(chains_of(program, family, NF_INET_LOCAL_IN)),
        forward_(chains_of(program, family, NF_INET_FORWARD)),
        postrouting_(chains_of(program, family, NF_INET_POST_ROUTING)) {}

  PortExposure run(Packet packet) {
    Crowd crowd = Crowd::everybody(packet.marks);
    look_below_ip(crowd);
    packet.has_connection = false;
    for (const auto* chain : ingress_) crowd = pass_ingress(*chain, packet, crowd);
    from_prerouting(0, packet, crowd);
    return result();
  }

 private:
  void look_below_ip(Crowd& crowd) {
    for (const auto* chain : program_.base_chains()) {
      const int family = chain->chain->family;
      if ((family != NFPROTO_BRIDGE && family != NFPROTO_ARP) || is_idle(*chain)) continue;
      drop(crowd.part(Match::maybe(kDoubtOther), nullptr), nullptr, chain);
    }
  }

  // It concerns packets of its devices only.
  Crowd pass_ingress(const FilterChain& chain, const Packet& packet, const Crowd& crowd) {
    Crowd others = crowd.part(Match::maybe(kDoubtInterface), nullptr);
    const Crowd mine = others;
    others.merge(pass(chain, packet, mine));
    return others;
  }

  // What goes on behind one base chain.
  Crowd pass(const FilterChain& chain, Packet packet, const Crowd& crowd,
             std::vector<Translation>* translations = nullptr) {
    if (!crowd.exists) return crowd;
    packet.marks = crowd.marks;
    auto outcome = run_chain(program_, chain, packet, start_of(chain, crowd), budget_);
    is_exhausted_ = is_exhausted_ || outcome.is_exhausted;
    drop(outcome.dropped, outcome.dropped_by, nullptr);
    Crowd on = outcome.accepted;
    if (chain.chain->policy.value_or(NF_ACCEPT) == NF_DROP) {
      drop(outcome.left, nullptr, &chain);
    } else {
      on.merge(outcome.left);
    }
    for (auto& translation : outcome.translations) {
      if (translations != nullptr) translations->push_back(translation);
      if (translations == nullptr) on.merge(translation.crowd);  // it is too late to change the way
    }
    if (on.exists && outcome.accepted_by != nullptr) accepted_by_ = outcome.accepted_by;
    // Where all go on, they are together again.
    if (!outcome.dropped.exists && !(chain.chain->policy == NF_DROP && outcome.left.exists) &&
        outcome.translations.empty()) {
      const auto marks = on.marks;
      on = crowd;
      on.marks = marks;
    }
    return on;
  }

  // Chains of one priority run in an order that the kernel does not tell.
  Crowd start_of(const FilterChain& chain, Crowd crowd) const {
    const auto has_twin = [&](const FilterChain* other) {
      return other != &chain && other->chain->hook->number == chain.chain->hook->number &&
             place_of(*other->chain) == place_of(*chain.chain);
    };
    const bool is_alone = std::none_of(program_.base_chains().begin(), program_.base_chains().end(), has_twin);
    if (is_alone) return crowd;
    if (program_.sets_marks()) crowd.marks.mark = crowd.marks.connection_mark = std::nullopt;
    if (program_.untracks() && place_of(*chain.chain) <= NF_IP_PRI_CONNTRACK) crowd.marks.is_tracked = false;
    crowd.marks.is_changed = crowd.marks.is_changed || program_.writes();
    return crowd;
  }

  void from_prerouting(std::size_t first, Packet packet, Crowd crowd) {
    for (std::size_t i = first; i < prerouting_.size() && crowd.exists; ++i) {
      const auto& chain = *prerouting_[i];
      packet.has_connection = place_of(*chain.chain) > NF_IP_PRI_CONNTRACK;
      std::vector<Translation> translations;
      const bool may_translate = chain.chain->type == "nat" && !packet.is_translated;
      if (chain.chain->type == "nat" && packet.is_translated) continue;
      const Crowd before = crowd;
      crowd = pass(chain, packet, crowd, may_translate ? &translations : nullptr);
      // Of two chains at one place it is not known which one translates first.
      if (!translations.empty() && has_rival(i))
        crowd.merge(before.part(Match::maybe(kDoubtOther), translations[0].rule));
      for (const auto& translation : translations) follow(i + 1, packet, translation);
    }
    packet.has_connection = true;
    if (crowd.exists) deliver(packet, crowd);
  }

  bool has_rival(std::size_t at) const {
    const auto& mine = *prerouting_[at]->chain;
    return at + 1 < prerouting_.size() && prerouting_[at + 1]->chain->type == "nat" &&
           prerouting_[at + 1]->chain->hook->priority == mine.hook->priority;
  }

  void follow(std::size_t next, Packet packet, const Translation& translation) {
    if (++ways_ > kMaxWays) {
      is_exhausted_ = true;
      return;
    }
    if (translations_.size() < kMaxWays) translations_.push_back(translation);
    packet.is_translated = true;
    if (translation.sets_port) packet.port_now = translation.port;
    if (translation.sets_address) packet.address_now = translation.address;
    const auto local = translation.to_this_host    ? std::optional(true)
                       : !translation.sets_address ? std::optional(true)
                       : translation.address       ? way_.is_local(*translation.address)
                                                   : std::nullopt;
    if (local.value_or(true)) {
      packet.is_forwarded = false;
      Crowd crowd = local ? translation.crowd : translation.crowd.part(Match::maybe(kDoubtOther), translation.rule);
      from_prerouting(next, packet, crowd);
    }
    if (local.value_or(false)) return;
    packet.is_forwarded = true;
    if (translation.address) packet.out_interface = way_.interface_of(*translation.address);
    Crowd crowd = local ? translation.crowd : translation.crowd.part(Match::maybe(kDoubtOther), translation.rule);
    from_prerouting(next, packet, crowd);
  }

  void deliver(const Packet& packet, Crowd crowd) {
    for (const auto* chain : packet.is_forwarded ? forward_ : input_) crowd = pass(*chain, packet, crowd);
    if (packet.is_forwarded) {
      for (const auto* chain : postrouting_) crowd = pass(*chain, packet, crowd);
    }
    if (!crowd.exists) return;
    may_reach_host_ = may_reach_host_ || !packet.is_forwarded;
    through_.merge(crowd);
    if (through_by_ == nullptr) through_by_ = accepted_by_;
  }

  void drop(const Crowd& crowd, const NftRule* rule, const FilterChain* policy) {
    if (!crowd.exists) return;
    if (!dropped_.exists) {
      dropped_by_ = rule;
      dropping_policy_ = policy;
    }
    dropped_.merge(crowd);
  }

  PortExposure result() {
    PortExposure out;
    out.translations = std::move(translations_);
    out.may_reach_host = may_reach_host_;
    out.is_exhausted = is_exhausted_;
    const Doubt doubt = through_.doubt | dropped_.doubt;
    const auto* split = through_.split_at != nullptr ? through_.split_at : dropped_.split_at;
    const auto* doubted = through_.doubted_at != nullptr ? through_.doubted_at : dropped_.doubted_at;
    if (is_exhausted_) {
      out.verdict = Verdict::kUnknown;
    } else if (!through_.exists) {
      out.verdict = Verdict::kBlocked;
      out.decided_by = dropped_by_;
      out.policy_of = dropping_policy_;
    } else if (!dropped_.exists) {
      out.verdict = Verdict::kOpen;
      out.decided_by = through_by_;
    } else {
      const bool is_unknown = (doubt & kDoubtOther) != 0 || doubt == kNoDoubt;
      out.verdict = is_unknown ? Verdict::kUnknown : Verdict::kRestricted;
      out.decided_by = is_unknown && doubted != nullptr ? doubted : split;
      out.policy_of = dropping_policy_;
    }
    return out;
  }

  const FilterProgram& program_;
  const PacketWay& way_;
  const Chains ingress_, prerouting_, input_, forward_, postrouting_;
  StepBudget budget_;
  std::size_t ways_ = 0;
  Crowd through_, dropped_;
  const NftRule* accepted_by_ = nullptr;
  const NftRule* through_by_ = nullptr;
  const NftRule* dropped_by_ = nullptr;
  const FilterChain* dropping_policy_ = nullptr;
  std::vector<Translation> translations_;
  bool may_reach_host_ = false;
  bool is_exhausted_ = false;
};

}  // namespace

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOpen: return "open";
    case Verdict::kRestricted: return "restricted";
    case Verdict::kBlocked: return "blocked";
    case Verdict::kUnknown: break;
  }
  return "unknown";
}

PortExposure find_exposure(const FilterProgram& program, const PacketWay& way, const ExposureQuestion& question) {
  Packet packet;
  packet.family = question.family;
  packet.protocol = question.protocol;
  packet.port = question.port;
  packet.port_now = question.port;
  packet.sender = question.sender;
  packet.in_interface = question.in_interface;
  return Walk(program, way, question.family).run(packet);
}

}  // namespace gpuharden
