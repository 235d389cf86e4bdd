// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "checks/apt/keyring_files.h"
#include "checks/apt/source_conflict.h"
#include "checks/apt/sources.h"
#include "checks/apt/vendor_keys.h"
#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/source_binding.h"

namespace gpuharden {
namespace {

constexpr std::size_t kKeyringCap = std::size_t{8} << 20U;

// Entries that name one repository must agree, or apt refuses every source: all of them are bound.
std::vector<const Source*> group_of(const AptSources& sources, const std::string& uri, const std::string& suite) {
  std::string key;
  for (const auto& source : sources.sources) {
    if (source.repository.uri == uri && source.suite == suite) key = source.repository.key;
  }
  std::vector<const Source*> group;
  for (const auto& source : sources.sources) {
    if (!key.empty() && source.repository.key == key) group.push_back(&source);
  }
  return group;
}

bool holds_pinned_key(const Keyring& keyring, const std::string& host) {
  return std::any_of(keyring.keys.begin(), keyring.keys.end(), [&](const OpenPgpKey& key) {
    const VendorKey* known = find_vendor_key(key.fingerprint);
    return known != nullptr && !known->is_retired && known->host == host && !key.revoked;
  });
}

// A keyring file on disk that holds a key which the vendor is known to use for this host, and nobody else's.
Result<std::string> find_keyring(const AptSources& sources, const std::string& host, const Files& files) {
  std::vector<Error> errors;
  for (const auto& place : find_keyrings(files, sources, errors)) {
    // Those of trusted.gpg.d vouch for every source: binding to one of them is still better than to all.
    if (place.scope == KeyringScope::kInline) continue;
    const auto bytes = files.read(place.file, kKeyringCap);
    if (!bytes || bytes->truncated) continue;
    const Keyring keyring = parse_keyring(bytes->bytes);
    if (judge_format(place, keyring.container).read_by_apt && holds_pinned_key(keyring, host)) return place.file;
  }
  return Error{ErrorCode::kNotFound,
               concat({"no keyring on this machine holds a key that is known to be the vendor's for ", host,
                       ": get it from the vendor and compare its fingerprint"})};
}

// As it will be: two entries that disagree would make apt refuse every source.
Status check_no_conflict(const std::vector<const Source*>& group, const std::string& keyring) {
  ConflictFinder finder;
  for (const auto* source : group) {
    SourceEntry bound = *source->entry;
    if (!bound.options.contains("signed-by")) bound.options["signed-by"] = keyring;
    const auto finding = finder.add(source->repository.key, trust_of(bound), source->file->path);
    if (!finding.refused.empty())
      return Error{ErrorCode::kUnsupported, concat({"apt would refuse every source then: ", finding.refused})};
  }
  return {};
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto& sources = apt_sources_of(draft.shared(), draft.host());
  const auto group = group_of(sources, request.argument("uri"), request.argument("suite"));
  if (group.empty()) return Error{ErrorCode::kStale, "no such source any more"};
  GH_ASSIGN_OR_RETURN(const std::string keyring,
                      find_keyring(sources, group.front()->repository.host, draft.host().files()));
  GH_RETURN_IF_ERROR(check_no_conflict(group, keyring));
  for (const auto* source : group) {
    if (source->entry->options.contains("signed-by")) continue;
    const bool is_line = source->file->format == SourceFormat::kOneLine;
    GH_RETURN_IF_ERROR(draft.edit(
        source->file->path,
        [&](std::string_view text) {
          return is_line ? bind_line(text, source->entry->text, keyring)
                         : bind_stanza(text, source->entry->text, keyring);
        },
        true));
  }
  return {};
}

}  // namespace

Action apt_bind_key_action() {
  return {"apt_bind_key",
          "Binds every entry of a package source to the keyring that holds the vendor's key",
          {{"uri", "of the source"}, {"suite", "of the source"}},
          &plan};
}

}  // namespace gpuharden
