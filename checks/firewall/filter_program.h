// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of a packet filter, prepared for following packets through them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "checks/firewall/filter_set.h"
#include "checks/firewall/xt_extension.h"
#include "engine/native/nft.h"

namespace gpuharden {

enum class StepKind : std::uint8_t {
  kNothing,  // counts, logs
  kPayload,
  kMeta,
  kConnection,
  kRoute,
  kUnknownValue,  // loads what cannot be foretold
  kImmediate,
  kBitwise,
  kByteorder,
  kCompare,
  kRange,
  kLookup,
  kMatch,  // of xtables
  kSetMark,
  kSetConnectionMark,
  kWrite,  // into the packet
  kUntrack,
  kVerdict,
  kTranslate,        // DNAT or redirect by registers
  kTranslateTarget,  // by xtables
  kPerhaps,          // a condition that cannot be foretold: limits, quotas
  kEndUnknown,       // anything may become of the packet
};

struct FilterChain;

struct FilterStep {
  StepKind kind = StepKind::kNothing;
  std::size_t from = Registers::kSize, to = Registers::kSize;  // registers
  std::size_t size = 0;
  std::uint64_t a = 0, b = 0;  // base and offset, key, operation
  std::optional<std::uint64_t> direction;
  bool is_inverted = false;
  std::string low, high;  // data to compare with; mask and exclusive-or
  std::optional<NftVerdict> verdict;
  const FilterSet* set = nullptr;
  std::shared_ptr<const XtExtension> extension;
  // Registers of a translation; kSize when it has none.
  std::size_t address = Registers::kSize, port = Registers::kSize;
  bool to_this_host = false;
  bool is_single = true;  // to one address and port, not to one of several
};

struct FilterRule {
  const NftRule* rule = nullptr;
  std::vector<FilterStep> steps;
};

struct FilterChain {
  const NftChain* chain = nullptr;
  std::vector<FilterRule> rules;
};

// Owns the rules. Chains and sets are found by the names that rules use.
class FilterProgram {
 public:
  explicit FilterProgram(NftRuleset ruleset);
  FilterProgram(const FilterProgram&) = delete;
  FilterProgram& operator=(const FilterProgram&) = delete;

  const NftRuleset& ruleset() const { return ruleset_; }
  const FilterChain* find(int family, std::string_view table, std::string_view chain) const;
  // Base chains of tables that are not dormant, as the kernel gave them.
  const std::vector<const FilterChain*>& base_chains() const { return base_chains_; }
  // Whether some rule changes a mark, switches connection tracking off, or writes into packets.
  bool sets_marks() const { return sets_marks_; }
  bool untracks() const { return untracks_; }
  bool writes() const { return writes_; }

 private:
  using Name = std::tuple<int, std::string, std::string>;

  FilterStep step_of(const NftRule& rule, const NftExpression& expression);

  NftRuleset ruleset_;
  std::map<Name, FilterSet> sets_;
  std::map<Name, FilterChain> chains_;
  std::vector<const FilterChain*> base_chains_;
  bool sets_marks_ = false;
  bool untracks_ = false;
  bool writes_ = false;
};

}  // namespace gpuharden
