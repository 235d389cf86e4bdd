// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/filter_run.h"

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include "checks/firewall/filter_steps.h"

namespace gpuharden {
namespace {

// The kernel allows 16 jumps.
constexpr int kMaxDepth = 17;
constexpr std::size_t kMaxTranslations = 256;

class ChainRun {
 public:
  ChainRun(const FilterProgram& program, const Packet& packet, StepBudget& budget)
      : program_(program), packet_(packet), budget_(budget) {}

  ChainOutcome run(const FilterChain& chain, const Crowd& crowd) {
    out_.left = walk(chain, crowd, 0);
    return std::move(out_);
  }

 private:
  // Where the packets of a rule go that no verdict takes away.
  struct Exits {
    Crowd next;   // to the next rule
    Crowd leave;  // behind the end of the chain
  };

  // Gives those that come out at the chain's end.
  Crowd walk(const FilterChain& chain, Crowd here, int depth) {
    Crowd leaving;
    if (depth > kMaxDepth) out_.is_exhausted = true;
    for (const auto& rule : chain.rules) {
      if (!here.exists || out_.is_exhausted) break;
      const auto taken = taken_;
      const Exits exits = follow(rule, here, depth);
      leaving.merge(exits.leave);
      // Where none was taken away all are together again, whatever the condition said.
      if (taken == taken_ && !exits.leave.exists) {
        here.marks = exits.next.marks;
      } else {
        here = exits.next;
      }
    }
    leaving.merge(here);
    return leaving;
  }

  Exits follow(const FilterRule& rule, Crowd inside, int depth) {
    Exits exits;
    Registers registers;
    rule_ = rule.rule;
    for (const auto& step : rule.steps) {
      if (!inside.exists) return exits;
      if (budget_.left == 0) {
        out_.is_exhausted = true;
        break;
      }
      --budget_.left;
      take_step(step, registers, inside, exits, depth);
      rule_ = rule.rule;
    }
    exits.next.merge(inside);
    return exits;
  }

  void take_step(const FilterStep& step, Registers& registers, Crowd& inside, Exits& exits, int depth) {
    const bool is_verdict_map = step.kind == StepKind::kLookup && step.a == 1 && step.to == Registers::kSize;
    if (step.kind == StepKind::kVerdict) return take_verdict(*step.verdict, inside, exits, depth);
    if (is_verdict_map) return take_verdict_map(step, registers, inside, exits, depth);
    if (step.kind == StepKind::kEndUnknown) return take_unknown(inside);
    packet_.marks = inside.marks;
    if (step.kind == StepKind::kTranslate || step.kind == StepKind::kTranslateTarget) {
      return translate(step, registers, inside);
    }
    const Match match = step_matches(step, registers, packet_);
    inside.marks = packet_.marks;
    if (match.may_fail) exits.next.merge(match.may_hold ? inside.part(match, rule_) : inside);
    inside = match.may_hold ? inside.part(match, rule_) : Crowd();
  }

  void take_verdict(const NftVerdict& verdict, Crowd& inside, Exits& exits, int depth) {
    switch (verdict.code) {
      case NFT_CONTINUE: return;
      case NFT_BREAK: exits.next.merge(inside); break;
      case NFT_RETURN: exits.leave.merge(inside); break;
      case NFT_JUMP: exits.next.merge(enter(verdict.chain, inside, depth)); break;
      case NFT_GOTO: exits.leave.merge(enter(verdict.chain, inside, depth)); break;
      case NF_ACCEPT: accept(inside); break;
      case NF_DROP: drop(inside); break;
      default: return take_unknown(inside);
    }
    inside = Crowd();
  }

  Crowd enter(const std::string& name, const Crowd& crowd, int depth) {
    const auto* chain = program_.find(rule_->family, rule_->table, name);
    if (chain != nullptr) return walk(*chain, crowd, depth + 1);
    Crowd lost = crowd;
    take_unknown(lost);
    return lost;
  }

  void take_verdict_map(const FilterStep& step, const Registers& registers, Crowd& inside, Exits& exits, int depth) {
    if (step.set == nullptr) return take_unknown(inside);
    const auto answer = step.set->find(registers, step.from, packet_.sender);
    const NftRule* rule = rule_;
    const Crowd all = inside;
    const bool is_one = !answer.match.may_fail && answer.elements.size() == 1;
    if (answer.match.may_fail) exits.next.merge(answer.match.may_hold ? all.part(answer.match, rule) : all);
    inside = Crowd();
    if (answer.is_overfull) inside = all.part(Match::maybe(kDoubtOther), rule);
    if (answer.is_overfull) take_unknown(inside);
    for (const auto* element : answer.elements) {
      Crowd chosen = is_one ? all : all.part(Match::maybe(answer.match.doubt), rule);
      if (!element->data || !element->data->verdict) {
        take_unknown(chosen);
      } else {
        take_verdict(*element->data->verdict, chosen, exits, depth);
      }
      rule_ = rule;
      inside.merge(chosen);
    }
  }

  void accept(const Crowd& crowd) {
    ++taken_;
    if (out_.accepted_by == nullptr) out_.accepted_by = rule_;
    out_.accepted.merge(crowd);
  }

  void drop(const Crowd& crowd) {
    ++taken_;
    if (out_.dropped_by == nullptr) out_.dropped_by = rule_;
    out_.dropped.merge(crowd);
  }

  // They may be accepted, dropped, or go on.
  void take_unknown(Crowd& inside) {
    inside = inside.part(Match::maybe(kDoubtOther), rule_);
    accept(inside);
    drop(inside);
  }

  void translate(const FilterStep& step, const Registers& registers, Crowd& inside) {
    ++taken_;
    if (out_.translations.size() >= kMaxTranslations) {
      out_.is_exhausted = true;
    } else {
      auto translation = translation_of(step, registers, packet_, rule_->family);
      translation.rule = rule_;
      translation.crowd = inside;
      out_.translations.push_back(std::move(translation));
    }
    inside = Crowd();
  }

  const FilterProgram& program_;
  Packet packet_;
  StepBudget& budget_;
  ChainOutcome out_;
  const NftRule* rule_ = nullptr;
  std::size_t taken_ = 0;
};

}  // namespace

Crowd Crowd::everybody(const PacketMarks& marks) {
  Crowd crowd;
  crowd.exists = true;
  crowd.marks = marks;
  return crowd;
}

Crowd Crowd::part(const Match& match, const NftRule* rule) const {
  Crowd some = *this;
  if (!match.may_fail) return some;
  some.doubt |= match.doubt;
  if (some.split_at == nullptr) some.split_at = rule;
  if (some.doubted_at == nullptr && (match.doubt & kDoubtOther) != 0) some.doubted_at = rule;
  return some;
}

void Crowd::merge(const Crowd& other) {
  if (!other.exists) return;
  if (!exists) {
    *this = other;
    return;
  }
  doubt |= other.doubt;
  marks.join(other.marks);
  if (split_at == nullptr) split_at = other.split_at;
  if (doubted_at == nullptr) doubted_at = other.doubted_at;
}

ChainOutcome run_chain(const FilterProgram& program, const FilterChain& chain, const Packet& packet, const Crowd& crowd,
                       StepBudget& budget) {
  return ChainRun(program, packet, budget).run(chain, crowd);
}

}  // namespace gpuharden
