// SPDX-License-Identifier: GPL-2.0-or-later
// A set or map of the packet filter, prepared for look-ups with keys that are only known in part.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/firewall/packet_value.h"
#include "engine/native/nft.h"

namespace gpuharden {

// What a look-up may find.
struct SetAnswer {
  Match match;
  std::vector<const NftElement*> elements;  // those that may be found; at most kMaxFound
  bool is_overfull = false;                 // there are more
};

class FilterSet {
 public:
  static constexpr std::size_t kMaxFound = 64;

  // `set` must outlive this object.
  explicit FilterSet(const NftSet& set);

  // The key is in the registers from `at` on.
  SetAnswer find(const Registers& registers, std::size_t at, Sender sender) const;
  const NftSet& set() const { return set_; }

 private:
  struct Entry {
    std::string from, to;  // both included
    const NftElement* element;
  };

  void add_plain();
  void add_intervals();
  std::vector<const Entry*> candidates(const Registers& registers, std::size_t at) const;
  Match match_of(const Entry& entry, const Registers& registers, std::size_t at, Sender sender) const;
  void settle(SetAnswer& answer, bool is_sure) const;

  const NftSet& set_;
  std::vector<Entry> entries_;  // sorted by `from`
  const NftElement* catchall_ = nullptr;
  bool is_exact_ = true;             // every entry is one key
  bool are_networks_chosen_ = true;  // few enough short networks that together they are not the Internet
};

}  // namespace gpuharden
