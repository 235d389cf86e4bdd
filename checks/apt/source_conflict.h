// SPDX-License-Identifier: GPL-2.0-or-later
// Entries that name one repository with different settings: apt then refuses every source.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "checks/apt/source_entry.h"
#include "checks/apt/source_options.h"

namespace gpuharden {

// What must agree between entries. Made once for an entry, shared by its many repositories.
struct EntryTrust {
  SignedBy signed_by;
  std::map<std::string, std::string, std::less<>> settings;
};
std::shared_ptr<const EntryTrust> trust_of(const SourceEntry& entry);

// Takes entries in apt's read order, and says what apt says.
class ConflictFinder {
 public:
  struct Finding {
    std::string refused;         // why apt refuses all sources, or empty
    std::string accepted_since;  // the version of apt from which on it does not, or empty
    std::string accepted;        // a second entry that apt accepts although it says less or more, or empty
  };
  // `key` is Repository::key; `place` names the entry for people ("cuda.list:3").
  Finding add(const std::string& key, const std::shared_ptr<const EntryTrust>& trust, const std::string& place);

 private:
  struct Seen {
    std::string place;  // of the first entry
    std::shared_ptr<const EntryTrust> first;
    std::shared_ptr<const EntryTrust> scoped;  // whose Signed-By is in force
  };
  std::map<std::string, Seen, std::less<>> seen_;
};

}  // namespace gpuharden
