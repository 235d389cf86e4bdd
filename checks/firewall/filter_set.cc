// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/filter_set.h"

#include <linux/netfilter/nf_tables.h>

#include <algorithm>

namespace gpuharden {
namespace {

constexpr std::uint32_t kCatchall = 2;  // NFT_SET_ELEM_CATCHALL, not in every header
constexpr std::size_t kMaxWide = 16;
constexpr std::size_t kNarrowBytes = 2;

// The number before, of bytes in network order; all ones before zero.
std::string before(std::string bytes) {
  for (std::size_t i = bytes.size(); i-- > 0;) {
    const auto value = static_cast<unsigned char>(bytes[i]);
    bytes[i] = static_cast<char>(value - 1U);
    if (value != 0) break;
  }
  return bytes;
}

bool is_wide(const std::string& from, const std::string& to) {
  return from.size() >= 4 && from.substr(0, kNarrowBytes) != to.substr(0, kNarrowBytes);
}

}  // namespace

FilterSet::FilterSet(const NftSet& set) : set_(set) {
  const bool has_ends = (set.flags & NFT_SET_INTERVAL) != 0 && set.fields.empty() && (set.flags & NFT_SET_CONCAT) == 0;
  if (has_ends) {
    add_intervals();
  } else {
    add_plain();
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.from < b.from; });
  std::size_t wide = 0;
  for (const auto& entry : entries_) {
    is_exact_ = is_exact_ && entry.from == entry.to;
    wide += is_wide(entry.from, entry.to) ? 1 : 0;
  }
  are_networks_chosen_ = wide <= kMaxWide && !set.is_cut;
}

void FilterSet::add_plain() {
  for (const auto& element : set_.elements) {
    if ((element.flags & kCatchall) != 0) {
      catchall_ = &element;
    } else {
      entries_.push_back({element.key, element.key_end.empty() ? element.key : element.key_end, &element});
    }
  }
}

// Each element begins an interval that lasts until the next one with the end flag, which is not of it.
void FilterSet::add_intervals() {
  std::vector<const NftElement*> sorted;
  for (const auto& element : set_.elements) {
    if ((element.flags & kCatchall) != 0) catchall_ = &element;
    if ((element.flags & kCatchall) == 0) sorted.push_back(&element);
  }
  const auto is_end = [](const NftElement* element) { return (element->flags & NFT_SET_ELEM_INTERVAL_END) != 0; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const NftElement* a, const NftElement* b) {
    return a->key != b->key ? a->key < b->key : is_end(a) && !is_end(b);
  });
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (is_end(sorted[i])) continue;
    const std::string last =
        i + 1 < sorted.size() ? before(sorted[i + 1]->key) : std::string(sorted[i]->key.size(), '\xff');
    entries_.push_back({sorted[i]->key, last, sorted[i]});
  }
}

Match FilterSet::match_of(const Entry& entry, const Registers& registers, std::size_t at, Sender sender) const {
  if (entry.from == entry.to) {
    Match match = equals(registers, at, entry.from, sender);
    if (match.is_certain() || set_.fields.size() < 2) return match;
  } else if (set_.fields.size() < 2) {
    const bool has_chosen = are_networks_chosen_ || sender == Sender::kAnyone;
    return lies_between(registers, at, entry.from, entry.to, has_chosen ? sender : Sender::kAnyone);
  }
  Match all = Match::yes();
  std::size_t start = 0;
  for (const auto length : set_.fields) {
    if (start + length > entry.from.size() || start + length > entry.to.size()) return Match::maybe(kDoubtOther);
    all = all & lies_between(registers, at + start, std::string_view(entry.from).substr(start, length),
                             std::string_view(entry.to).substr(start, length), sender);
    start += (length + 3U) & ~std::size_t{3};
  }
  return all;
}

// With a key that is known in full only its neighbours need a look.
std::vector<const FilterSet::Entry*> FilterSet::candidates(const Registers& registers, std::size_t at) const {
  std::vector<const Entry*> found;
  const std::size_t size = set_.key_length;
  const bool is_searchable = registers.is_known(at, size) && (is_exact_ || set_.fields.size() < 2);
  if (!is_searchable) {
    for (const auto& entry : entries_) found.push_back(&entry);
    return found;
  }
  const auto key = registers.known_bytes(at, size);
  auto after = std::upper_bound(entries_.begin(), entries_.end(), key,
                                [](const std::string& wanted, const Entry& entry) { return wanted < entry.from; });
  if (after != entries_.begin()) found.push_back(&*(after - 1));
  return found;
}

// Contents that change by themselves are only what they are now.
void FilterSet::settle(SetAnswer& answer, bool is_sure) const {
  const bool changes = set_.is_cut || (set_.flags & (NFT_SET_TIMEOUT | NFT_SET_EVAL)) != 0;
  const bool is_conditional = std::any_of(answer.elements.begin(), answer.elements.end(),
                                          [](const NftElement* element) { return element->is_conditional; });
  if (is_sure) answer.match.may_fail = false;
  if (changes || is_conditional || answer.is_overfull) answer.match = Match::maybe(answer.match.doubt | kDoubtOther);
}

SetAnswer FilterSet::find(const Registers& registers, std::size_t at, Sender sender) const {
  SetAnswer answer;
  answer.match = Match::no();
  const std::size_t size = set_.key_length;
  if (size == 0 || at + size > Registers::kSize) {
    answer.match = Match::maybe(kDoubtOther);
    answer.is_overfull = true;
    return answer;
  }
  bool is_sure = false;
  for (const auto* entry : candidates(registers, at)) {
    const Match match = match_of(*entry, registers, at, sender);
    if (!match.may_hold) continue;
    is_sure = is_sure || match.is_certain();
    answer.match = Match::maybe(answer.match.doubt | match.doubt);
    answer.is_overfull = answer.is_overfull || answer.elements.size() == kMaxFound;
    if (!answer.is_overfull) answer.elements.push_back(entry->element);
    if ((set_.flags & NFT_SET_MAP) == 0 && !entry->element->is_conditional && !is_sure && entries_.size() > kMaxFound)
      break;
  }
  if (catchall_ != nullptr && !is_sure) {
    answer.elements.push_back(catchall_);
    answer.match.may_hold = true;
    is_sure = true;
  }
  if (is_sure && answer.elements.size() > 1) answer.match.doubt |= registers.doubt(at, size);
  // What was not read may be there too.
  answer.is_overfull = answer.is_overfull || set_.is_cut;
  settle(answer, is_sure);
  return answer;
}

}  // namespace gpuharden
