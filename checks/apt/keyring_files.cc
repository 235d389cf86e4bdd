// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/keyring_files.h"

#include <algorithm>
#include <map>

#include "checks/apt/vendor_keys.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kGlobalFile = "/etc/apt/trusted.gpg";
constexpr std::string_view kGlobalFolder = "/etc/apt/trusted.gpg.d";

std::string extension_of(std::string_view path) {
  const auto dot = path.substr(path.rfind('/') + 1).rfind('.');
  return dot == std::string_view::npos ? "" : std::string(path.substr(path.rfind('/') + 1).substr(dot + 1));
}

class KeyringFinder {
 public:
  KeyringFinder(const Files& files, std::vector<Error>& errors) : files_(files), errors_(errors) {}

  void add_folder(std::string_view folder, KeyringScope scope) {
    const auto entries = files_.list(folder);
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) errors_.push_back(entries.error());
      return;
    }
    for (const auto& entry : *entries) {
      if (entry.type != FileType::kDirectory) add_file(concat({folder, "/", entry.name}), scope);
    }
  }

  KeyringPlace& add_file(const std::string& path, KeyringScope scope) {
    const auto [at, is_new] = by_path_.try_emplace(path, places_.size());
    if (is_new) places_.push_back({path, scope, "", {}, {}, false});
    return places_[at->second];
  }

  void add_source(const Source& source) {
    if (source.signed_by.kind == SignedByKind::kInline) {
      note_use(source, inline_place(source));
    }
    for (const auto& path : source.signed_by.keyrings) note_use(source, add_file(path, KeyringScope::kNamed));
  }

  std::vector<KeyringPlace> places() && { return std::move(places_); }

 private:
  KeyringPlace& inline_place(const Source& source) {
    const auto [at, is_new] = inline_.try_emplace(source.entry, places_.size());
    if (is_new)
      places_.push_back({source.file->path, KeyringScope::kInline, source.signed_by.normalised, {}, {}, false});
    return places_[at->second];
  }

  static void note_use(const Source& source, KeyringPlace& place) {
    if (!source.entry->enabled) return;
    place.is_referenced = true;
    if (!source.vendor.empty()) place.vendors.insert(source.vendor);
    if (!source.repository.host.empty()) place.hosts.insert(source.repository.host);
  }

  const Files& files_;
  std::vector<Error>& errors_;
  std::vector<KeyringPlace> places_;
  std::map<std::string, std::size_t> by_path_;
  std::map<const SourceEntry*, std::size_t> inline_;
};

KeyringFormat judge_global(const KeyringPlace& place, KeyringContainer container) {
  const std::string extension = extension_of(place.file);
  if (extension != "gpg" && extension != "asc") return {false, "apt reads only names that end in .gpg or .asc here"};
  if (container == KeyringContainer::kKeybox) return {false, "a GnuPG keybox, which apt ignores here"};
  if (container == KeyringContainer::kUnknown) return {false, "neither a binary nor an armoured keyring"};
  if (container == KeyringContainer::kArmored && extension == "gpg")
    return {true, "armoured, but named .gpg: apt 2 ignores it"};
  if (container == KeyringContainer::kBinary && extension == "asc")
    return {true, "binary, but named .asc: apt 2 cannot read it"};
  return {true, ""};
}

KeyringFormat judge_named(const KeyringPlace& place, KeyringContainer container) {
  const std::string extension = extension_of(place.file);
  if (container == KeyringContainer::kKeybox) return {true, "a GnuPG keybox, which apt 3 does not read"};
  if (container == KeyringContainer::kUnknown) return {false, "neither a binary nor an armoured keyring"};
  if (container == KeyringContainer::kEmpty) return {true, "empty: no signature can be verified"};
  if (container == KeyringContainer::kArmored && extension == "gpg")
    return {true, "armoured, but named .gpg: apt 2 cannot read it"};
  if (container == KeyringContainer::kBinary && extension == "asc")
    return {true, "binary, but named .asc: apt 2 cannot read it"};
  return {true, ""};
}

}  // namespace

std::string_view to_string(KeyringScope scope) {
  constexpr std::string_view kWords[] = {"global", "named", "inline", "folder"};
  return kWords[static_cast<std::size_t>(scope)];
}

std::vector<KeyringPlace> find_keyrings(const Files& files, const AptSources& sources, std::vector<Error>& errors) {
  KeyringFinder finder(files, errors);
  finder.add_file(std::string(kGlobalFile), KeyringScope::kGlobal);
  finder.add_folder(kGlobalFolder, KeyringScope::kGlobal);
  for (const auto& source : sources.sources) finder.add_source(source);
  for (const auto* folder : {"/etc/apt/keyrings", "/usr/share/keyrings"})
    finder.add_folder(folder, KeyringScope::kFolder);
  return std::move(finder).places();
}

KeyringFormat judge_format(const KeyringPlace& place, KeyringContainer container) {
  if (place.scope == KeyringScope::kInline) return {true, ""};
  return place.scope == KeyringScope::kGlobal ? judge_global(place, container) : judge_named(place, container);
}

std::string_view pin_of(const KeyringPlace& place, std::string_view fingerprint) {
  const auto* known = find_vendor_key(fingerprint);
  if (known != nullptr && known->is_retired) return "retired";
  const bool is_elsewhere =
      known != nullptr && !place.vendors.empty() && place.vendors.count(std::string(known->vendor)) == 0;
  if (is_elsewhere) return "foreign";
  if (known != nullptr) return "pinned";
  const bool is_expected =
      std::any_of(place.hosts.begin(), place.hosts.end(), [](const auto& host) { return has_known_key(host); });
  return is_expected ? "foreign" : "unknown";
}

}  // namespace gpuharden
