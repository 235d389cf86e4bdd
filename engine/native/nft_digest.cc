// SPDX-License-Identifier: GPL-2.0-or-later
// What of other programs' tables must be the same before and after a change of ours.
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

#include <algorithm>

#include "engine/base/digest.h"
#include "engine/native/nft.h"
#include "engine/native/nft_control.h"
#include "engine/native/nft_text.h"

namespace gpuharden {
namespace {

bool is_ours(int family, const std::string& table) { return family == NFPROTO_INET && table == kGuardTableName; }

// Expressions whose attributes packets change.
bool counts(const NftExpression& expression) {
  return expression.name == "counter" || expression.name == "quota" || expression.name == "last";
}

void drop_what_moves(NftRuleset& ruleset) {
  for (auto& rule : ruleset.rules) {
    rule.handle = 0;
    for (auto& expression : rule.expressions) {
      if (counts(expression)) expression.attributes.clear();
    }
  }
  for (auto& set : ruleset.sets) {
    if ((set.flags & (NFT_SET_TIMEOUT | NFT_SET_EVAL)) != 0) set.elements.clear();
    // The kernel lists a hash in the order of a random seed.
    std::sort(set.elements.begin(), set.elements.end(), [](const NftElement& a, const NftElement& b) {
      return std::tie(a.key, a.key_end, a.flags) < std::tie(b.key, b.key_end, b.flags);
    });
  }
}

}  // namespace

Result<std::string> digest_of_other_tables() {
  GH_ASSIGN_OR_RETURN(const std::string messages, dump_nft());
  GH_ASSIGN_OR_RETURN(NftRuleset ruleset, decode_nft(messages));
  std::erase_if(ruleset.tables, [](const NftTable& table) { return is_ours(table.family, table.name); });
  const auto is_in_ours = [](const auto& part) { return is_ours(part.family, part.table); };
  std::erase_if(ruleset.chains, is_in_ours);
  std::erase_if(ruleset.rules, is_in_ours);
  std::erase_if(ruleset.sets, is_in_ours);
  drop_what_moves(ruleset);
  return digest_of({format_nft_text(ruleset)});
}

}  // namespace gpuharden
