// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/source_conflict.h"

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

}  // namespace

std::shared_ptr<const EntryTrust> trust_of(const SourceEntry& entry) {
  auto trust = std::make_shared<EntryTrust>();
  trust->settings = settings_of(entry);
  const auto signed_by = entry.options.find("signed-by");
  if (signed_by != entry.options.end()) trust->signed_by = parse_signed_by(signed_by->second);
  return trust;
}

ConflictFinder::Finding ConflictFinder::add(const std::string& key, const std::shared_ptr<const EntryTrust>& trust,
                                            const std::string& place) {
  Finding finding;
  const auto [at, is_first] = seen_.try_emplace(key, Seen{place, trust, trust});
  Seen& seen = at->second;
  if (is_first || seen.scoped == trust) return finding;
  for (const auto& [name, value] : trust->settings) {
    if (seen.first->settings.at(name) != value) finding.refused = concat({name, " differs from that of ", seen.place});
  }
  const auto& ours = trust->signed_by.normalised;
  const auto& theirs = seen.scoped->signed_by.normalised;
  if (ours == theirs) return finding;
  // An entry without Signed-By is only accepted before the one that has it.
  if (theirs.empty()) {
    finding.accepted = concat({"the keyring also binds the entry without signed-by in ", seen.place});
    seen.scoped = trust;
  } else {
    const auto* what = ours.empty() ? "signed-by is missing, but set in " : "signed-by differs from that of ";
    // apt 2.9.8: "Do not return error if Signed-By value in source list is empty". Tried with 2.6.2 and 3.0.4.
    if (ours.empty() && finding.refused.empty()) finding.accepted_since = "2.9.8";
    finding.refused = concat({what, seen.place});
  }
  return finding;
}

}  // namespace gpuharden
