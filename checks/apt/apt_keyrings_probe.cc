// SPDX-License-Identifier: GPL-2.0-or-later
// The keys that can vouch for packages on this machine.
#include <algorithm>

#include "checks/apt/apt_settings.h"
#include "checks/apt/keyring_files.h"
#include "checks/apt/vendor_keys.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the keyring, or the .sources file that holds an inline key",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"scope", ColumnType::kText,
     "global (trusted.gpg and trusted.gpg.d: may sign for every source without Signed-By), named (a source's "
     "Signed-By), inline, folder (in a usual folder, but not used)",
     ColumnFlag::kNotNull},
    {"global", ColumnType::kBoolean, "1 for the global scope", ColumnFlag::kNotNull},
    {"referenced", ColumnType::kBoolean, "an enabled source names or holds it", ColumnFlag::kNotNull},
    {"used_for", ColumnType::kText, "vendors of the enabled sources that name it, with commas between; empty when none",
     ColumnFlag::kNotNull},
    {"used_hosts", ColumnType::kText, "hosts of the same sources, with commas between", ColumnFlag::kNotNull},
    {"is_present", ColumnType::kBoolean, "0 for a keyring that a source names and that is not there",
     ColumnFlag::kNotNull},
    {"read_by_apt", ColumnType::kBoolean, "some version of apt takes keys from a file with this name and content",
     ColumnFlag::kNotNull},
    {"format_problem", ColumnType::kText, "why apt, or some version of it, ignores the file; NULL when none does"},
    {"container", ColumnType::kText, "binary, armored, keybox, empty, unknown, missing", ColumnFlag::kNotNull},
    {"fingerprint", ColumnType::kText,
     "of a primary key, upper-case hexadecimal; NULL when the file holds no key that can be read"},
    {"key_algorithm", ColumnType::kText, "rsa, dsa, ecdsa, eddsa, ed25519, …; NULL without a key"},
    {"key_bits", ColumnType::kInteger, "size of the key in bits; NULL for unknown curves"},
    {"created", ColumnType::kInteger, "seconds since the epoch"},
    {"expires", ColumnType::kInteger, "seconds since the epoch, by the newest self-signature; NULL: never"},
    {"expires_in_days", ColumnType::kInteger, "days from now until then, negative afterwards; NULL: never"},
    {"expired", ColumnType::kBoolean, "it has expired by the host's clock; NULL without a key"},
    {"revoked", ColumnType::kBoolean, "it carries a revocation; NULL without a key"},
    {"only_sha1_signatures", ColumnType::kBoolean,
     "every self-signature rests on SHA-1, MD5 or RIPEMD-160; NULL when it has none"},
    {"user_id", ColumnType::kText, "the first user id, at most 1000 bytes; NULL when it has none"},
    {"vendor", ColumnType::kText,
     "nvidia, amd, debian or ubuntu, when the fingerprint is known to be theirs; NULL for others"},
    {"pin", ColumnType::kText,
     "pinned (the vendor is known to use it), retired (given up by the vendor), foreign (another key where the "
     "vendor's is expected), unknown; NULL without a key"},
    {"mode", ColumnType::kMode, "permission bits of the file; NULL when it is not there"},
    {"uid", ColumnType::kInteger, "owner of the file"},
    {"gid", ColumnType::kInteger, "group of the file"},
    {"changeable_by", ColumnType::kText,
     "who else than root can change what the path names, with the reason; NULL when nobody"},
};

constexpr std::size_t kKeyringCap = std::size_t{8} << 20U;
constexpr std::int64_t kDay = 86400;

std::string join_set(const std::set<std::string>& words) {
  return join(std::vector<std::string>(words.begin(), words.end()), ",");
}

std::int64_t floor_days(std::int64_t seconds) {
  return seconds >= 0 ? seconds / kDay : -((-seconds + kDay - 1) / kDay);
}

// What is the same in all rows of one keyring.
struct KeyringFile {
  const KeyringPlace& place;
  KeyringFormat format;
  std::string_view container;
  std::optional<FileStat> stat;
  std::optional<Result<std::optional<std::string>>> writer;
};

void set_file(const KeyringFile& file, Row& row) {
  const auto& place = file.place;
  row.set("file", place.file)
      .set("scope", to_string(place.scope))
      .set("global", place.scope == KeyringScope::kGlobal)
      .set("referenced", place.is_referenced)
      .set("used_for", join_set(place.vendors))
      .set("used_hosts", join_set(place.hosts))
      .set("is_present", file.stat.has_value())
      .set("read_by_apt", file.format.read_by_apt)
      .set("container", file.container);
  if (!file.format.problem.empty()) row.set("format_problem", file.format.problem);
  if (file.stat) row.set("mode", file.stat->mode).set("uid", file.stat->uid).set("gid", file.stat->gid);
  if (!file.writer) return;
  if (*file.writer) {
    row.set("changeable_by", file.writer->value());
  } else {
    row.unread("changeable_by", file.writer->error());
  }
}

void set_key(const KeyringPlace& place, const OpenPgpKey& key, std::int64_t now, Row& row) {
  row.set("fingerprint", key.fingerprint)
      .set("key_algorithm", key.algorithm)
      .set("key_bits", key.bits)
      .set("created", key.created)
      .set("expires", key.expires)
      .set("expired", key.expires.has_value() && *key.expires <= now)
      .set("revoked", key.revoked)
      .set("only_sha1_signatures", key.weak_digests_only)
      .set("pin", pin_of(place, key.fingerprint));
  if (key.expires) row.set("expires_in_days", floor_days(*key.expires - now));
  if (!key.user_id.empty()) row.set("user_id", key.user_id);
  if (const auto* known = find_vendor_key(key.fingerprint)) row.set("vendor", known->vendor);
}

void add_rows(TableReader& out, const KeyringFile& file, const Keyring& keyring) {
  for (const auto& key : keyring.keys) {
    Row row = out.row();
    set_file(file, row);
    set_key(file.place, key, out.host().now(), row);
  }
  if (!keyring.keys.empty()) return;
  Row row = out.row();
  set_file(file, row);
  // gpgv reads a keybox that a source names, so there are keys that are not seen here.
  if (keyring.container == KeyringContainer::kKeybox && file.format.read_by_apt) {
    const Error error{ErrorCode::kUnsupported, concat({file.place.file, ": a GnuPG keybox, its keys were not read"})};
    for (const auto* column : {"fingerprint", "expired", "expires", "pin", "only_sha1_signatures", "revoked"})
      row.unread(column, error);
  }
}

void read_inline(TableReader& out, const KeyringPlace& place) {
  const auto keyring = parse_keyring(place.inline_block);
  KeyringFile file{place, judge_format(place, keyring.container), to_string(keyring.container), std::nullopt,
                   std::nullopt};
  const auto stat = out.files().stat(place.file);
  if (stat) file.stat = *stat;
  if (out.wants("changeable_by")) file.writer = changeable_by_others(out.files(), place.file);
  if (!keyring.fault.empty())
    out.gap(place.file, "*", {ErrorCode::kMalformed, concat({place.file, ": inline key: ", keyring.fault})});
  add_rows(out, file, keyring);
}

void add_missing(TableReader& out, const KeyringPlace& place) {
  if (place.scope != KeyringScope::kNamed) return;
  Row row = out.row();
  set_file({place, {false, "it is not there"}, "missing", std::nullopt, std::nullopt}, row);
}

void read_file(TableReader& out, const KeyringPlace& place) {
  const auto bytes = out.files().read(place.file, kKeyringCap);
  if (!bytes && bytes.error().code == ErrorCode::kNotFound) return add_missing(out, place);
  if (!bytes) return out.gap(place.file, "*", bytes.error());
  if (bytes->truncated)
    out.gap(place.file, "*", {ErrorCode::kTooLarge, concat({place.file, ": too large, its end was not read"})});
  const auto keyring = parse_keyring(bytes->bytes);
  if (place.scope == KeyringScope::kGlobal && keyring.container == KeyringContainer::kEmpty) return;
  KeyringFile file{place, judge_format(place, keyring.container), to_string(keyring.container), bytes->stat,
                   std::nullopt};
  if (out.wants("changeable_by")) file.writer = changeable_by_others(out.files(), place.file);
  if (!keyring.fault.empty())
    out.gap(place.file, "*", {ErrorCode::kMalformed, concat({place.file, ": ", keyring.fault})});
  add_rows(out, file, keyring);
}

void read_apt_keyrings(TableReader& out) {
  const auto& sources = apt_sources_of(out.shared(), out.host());
  std::vector<Error> errors;
  const auto places = find_keyrings(out.files(), sources, errors);
  // A source that was not read may name a keyring.
  for (const auto& gap : sources.gaps) out.gap("*", "*", gap.error);
  for (const auto& error : errors) out.gap(error);
  for (const auto& sentence : redirections(apt_settings_of(out.shared(), out.host()).settings)) {
    out.gap({ErrorCode::kUnsupported, sentence});
  }
  for (const auto& place : places) {
    if (place.scope == KeyringScope::kInline) {
      read_inline(out, place);
    } else {
      read_file(out, place);
    }
  }
}

}  // namespace

Probe apt_keyrings_probe() {
  return {{"apt_keyrings",
           "Every OpenPGP key that apt may accept signatures from, one row for each primary key of a keyring, and one "
           "for a keyring without a key.",
           kColumns},
          &read_apt_keyrings};
}

}  // namespace gpuharden
