// SPDX-License-Identifier: GPL-2.0-or-later
// Private keys that lie on the disk and sign modules.
#include <array>

#include "checks/kernel/dkms_conf.h"
#include "checks/kernel/private_key.h"
#include "checks/kernel/x509.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kKeyStart = 512;  // enough to see what it is; the secret stays unread

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the private key", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"origin", ColumnType::kText, "who made it or uses it: shim-signed, dkms, akmods, or framework.conf of DKMS",
     ColumnFlag::kNotNull},
    {"mode", ColumnType::kMode, "its permission bits"},
    {"uid", ColumnType::kInteger, "its owner"},
    {"folder_mode", ColumnType::kMode, "permission bits of the folder it is in"},
    {"folder_uid", ColumnType::kInteger, "owner of that folder"},
    {"changeable_by", ColumnType::kText, "who else than root can replace it; NULL when nobody can"},
    {"encrypted", ColumnType::kBoolean, "whether it is protected by a passphrase; NULL when its format is not known"},
    {"certificate", ColumnType::kPath, "the certificate that belongs to it; NULL when it is not there"},
    {"name", ColumnType::kText, "common name of that certificate"},
    {"serial", ColumnType::kText, "serial number of that certificate, as in mok_keys"},
};

struct Place {
  std::string key, certificate, origin;
};

const std::array<Place, 3> kPlaces = {
    {{"/var/lib/shim-signed/mok/MOK.priv", "/var/lib/shim-signed/mok/MOK.der", "shim-signed"},
     {"/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub", "dkms"},
     {"/etc/pki/akmods/private/private_key.priv", "/etc/pki/akmods/certs/public_key.der", "akmods"}}};

// What DKMS' configuration names; the last file wins.
std::optional<Place> configured_place(TableReader& out) {
  std::vector<Error> errors;
  std::vector<std::string> paths = {"/etc/dkms/framework.conf"};
  for (auto& path : expand_glob(out.files(), "/etc/dkms/framework.conf.d/*.conf", errors, 1000)) paths.push_back(path);
  for (const auto& error : errors) out.gap(error);
  Place place{"", "", "framework.conf"};
  for (const auto& path : paths) {
    const auto file = out.files().read(path);
    if (!file && file.error().code != ErrorCode::kNotFound) out.gap(file.error());
    if (!file) continue;
    const auto conf = parse_dkms_conf(file->bytes);
    const auto* key = conf.find("mok_signing_key");
    const auto* certificate = conf.find("mok_certificate");
    if (key != nullptr && key->is_computed)
      out.gap({ErrorCode::kUnsupported, concat({path, ": only a shell knows mok_signing_key"})});
    if (key != nullptr && !key->is_computed) place.key = key->value;
    if (certificate != nullptr && !certificate->is_computed) place.certificate = certificate->value;
  }
  // A PKCS#11 URI names a key that is not on the disk.
  return place.key.starts_with('/') ? std::optional(place) : std::nullopt;
}

void set_certificate(Row& row, const Place& place, TableReader& out) {
  if (!place.certificate.starts_with('/')) return;
  const auto file = out.files().read(place.certificate);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  const auto certificate = file ? parse_certificate(file->bytes) : Result<Certificate>(file.error());
  row.set("certificate", place.certificate);
  if (!certificate) {
    row.unread("name", certificate.error()).unread("serial", certificate.error());
    return;
  }
  row.set("name", certificate->common_name).set("serial", certificate->serial);
}

void add_row(const Place& place, TableReader& out) {
  const auto stat = out.files().stat(place.key);
  if (!stat && stat.error().code == ErrorCode::kNotFound) return;
  if (!stat) return out.gap(place.key, "*", stat.error());
  auto row = out.row();
  row.set("path", place.key).set("origin", place.origin).set("mode", stat->mode).set("uid", stat->uid);
  const auto folder = out.files().stat(place.key.substr(0, place.key.rfind('/')));
  if (folder) {
    row.set("folder_mode", folder->mode).set("folder_uid", folder->uid);
  } else {
    row.unread("folder_mode", folder.error()).unread("folder_uid", folder.error());
  }
  const auto changeable = changeable_by_others(out.files(), place.key);
  row.set("changeable_by", changeable);
  const auto start = out.files().read(place.key, kKeyStart);
  start ? row.set("encrypted", is_encrypted_key(start->bytes)) : row.unread("encrypted", start.error());
  set_certificate(row, place, out);
}

void read_signing_keys(TableReader& out) {
  const auto configured = configured_place(out);
  if (configured) add_row(*configured, out);
  for (const auto& place : kPlaces) {
    if (!configured || configured->key != place.key) add_row(place, out);
  }
}

}  // namespace

Probe signing_keys_probe() {
  return {
      {"signing_keys",
       "Private keys with which modules are signed on this machine, in the places where shim-signed, DKMS and akmods "
       "keep them. Of the key only the beginning is read.",
       kColumns},
      &read_signing_keys};
}

}  // namespace gpuharden
