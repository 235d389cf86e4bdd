// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/source_conflict.h"

#include "checks/apt/source_options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Options that must be equal in all entries, "not set" included; apt compares their truth values.
constexpr std::string_view kSwitches[] = {"trusted", "check-valid-until", "allow-insecure", "allow-weak",
                                          "allow-downgrade-to-insecure"};
// The same for text.
constexpr std::string_view kTexts[] = {"inrelease-path"};

std::map<std::string, std::string, std::less<>> settings_of(const SourceEntry& entry) {
  std::map<std::string, std::string, std::less<>> settings;
  for (const auto name : kSwitches) {
    const auto value = source_switch(entry.options, name);
    settings[std::string(name)] = !value ? "" : *value ? "yes" : "no";
  }
  for (const auto name : kTexts) {
    const auto found = entry.options.find(name);
    settings[std::string(name)] = found == entry.options.end() ? "" : found->second;
  }
  return settings;
}

std::string signed_by_of(const SourceEntry& entry) {
  const auto found = entry.options.find("signed-by");
  return found == entry.options.end() ? "" : parse_signed_by(found->second).normalised;
}

}  // namespace

ConflictFinder::Finding ConflictFinder::add(const std::string& key, const SourceEntry& entry,
                                            const std::string& place) {
  Finding finding;
  const auto settings = settings_of(entry);
  const std::string signed_by = signed_by_of(entry);
  const auto [at, is_first] = seen_.try_emplace(key, Seen{place, signed_by, settings});
  if (is_first) return finding;
  Seen& seen = at->second;
  for (const auto& [name, value] : settings) {
    if (seen.settings[name] != value) finding.refused = concat({name, " differs from that of ", seen.place});
  }
  // An entry without Signed-By is only accepted before the one that has it.
  if (signed_by != seen.signed_by && !seen.signed_by.empty()) {
    finding.refused = concat(
        {signed_by.empty() ? "signed-by is missing, but set in " : "signed-by differs from that of ", seen.place});
  } else if (signed_by != seen.signed_by) {
    finding.accepted = concat({"the keyring also binds the entry without signed-by in ", seen.place});
    seen.signed_by = signed_by;
  }
  return finding;
}

}  // namespace gpuharden
