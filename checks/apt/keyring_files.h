// SPDX-License-Identifier: GPL-2.0-or-later
// Where keys that may sign packages are kept, and who uses which.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checks/apt/openpgp.h"
#include "checks/apt/sources.h"

namespace gpuharden {

enum class KeyringScope { kGlobal, kNamed, kInline, kFolder };
std::string_view to_string(KeyringScope scope);

// One keyring: a file, or the block inside a source.
struct KeyringPlace {
  std::string file;
  KeyringScope scope = KeyringScope::kFolder;
  std::string inline_block;       // of kInline
  std::set<std::string> vendors;  // of the enabled sources that name it
  std::set<std::string> hosts;    // of the same
  bool is_referenced = false;     // an enabled source names it
};

// Global keyrings first, then those that sources name or hold, then the rest of the usual folders.
// Folders that could not be listed go to `errors`.
std::vector<KeyringPlace> find_keyrings(const Files& files, const AptSources& sources, std::vector<Error>& errors);

struct KeyringFormat {
  bool read_by_apt = false;  // by at least one version of apt
  std::string problem;       // why apt, or some version of it, ignores the file; empty when none does
};
KeyringFormat judge_format(const KeyringPlace& place, KeyringContainer container);

// pinned: a key that the vendor is known to use; retired: one that he gave up; foreign: another
// key, where the vendor's own is expected; unknown: nothing is known about keys there.
std::string_view pin_of(const KeyringPlace& place, std::string_view fingerprint);

}  // namespace gpuharden
