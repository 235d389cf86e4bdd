// SPDX-License-Identifier: GPL-2.0-or-later
// The keys whose signatures on modules are believed.
#include <algorithm>

#include "checks/kernel/efi_signatures.h"
#include "checks/kernel/kernel_value.h"
#include "checks/kernel/proc_keys.h"
#include "checks/kernel/x509.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kSysfs = "/sys/firmware/efi/mok-variables/MokListRT";
constexpr std::string_view kVariable = "/sys/firmware/efi/efivars/MokListRT";
constexpr std::size_t kAttributes = 4;
constexpr int kMaxParts = 10;

constexpr Column kColumns[] = {
    {"source", ColumnType::kText,
     "mok: the machine owner's list, enrolled through shim, which the kernel believes only while Secure Boot is on; "
     "kernel: a certificate in one of the kernel's keyrings, from /proc/keys",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"kind", ColumnType::kText, "certificate, sha256 (digest of a program) or other", ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "common name of the subject; of the kernel's keys their description"},
    {"subject", ColumnType::kText, "CN, O, OU and C of the subject; NULL for the kernel's keys"},
    {"issuer", ColumnType::kText, "the same of the issuer"},
    {"serial", ColumnType::kText, "serial number, lower-case hexadecimal; NULL for the kernel's keys"},
    {"key_id", ColumnType::kText,
     "subject key identifier, lower-case hexadecimal; of the kernel's keys what they are found by"},
    {"sha256", ColumnType::kText, "digest of the certificate, or the digest that is trusted"},
    {"not_before", ColumnType::kInteger, "start of its validity, seconds since the epoch"},
    {"not_after", ColumnType::kInteger, "end of it; the kernel does not look at it"},
    {"module_signing_only", ColumnType::kBoolean,
     "whether its extended key usage is 1.3.6.1.4.1.2312.16.1.2: shim takes it for modules, not for kernels"},
};

constexpr std::string_view kModuleSigningOnly = "1.3.6.1.4.1.2312.16.1.2";

void add_certificate(std::string_view der, TableReader& out) {
  const auto certificate = parse_certificate(der);
  auto row = out.row();
  row.set("source", "mok").set("kind", "certificate").set("sha256", to_hex(sha256(der)));
  if (!certificate) {
    for (const auto* column : {"name", "subject", "issuer", "serial", "key_id", "not_before", "not_after"}) {
      row.unread(column, certificate.error());
    }
    return;
  }
  bool is_limited = false;
  for (const auto& purpose : certificate->purposes) is_limited = is_limited || purpose == kModuleSigningOnly;
  row.set("name", certificate->common_name)
      .set("subject", certificate->subject)
      .set("issuer", certificate->issuer)
      .set("serial", certificate->serial)
      .set("key_id", certificate->key_id)
      .set("not_before", certificate->not_before)
      .set("not_after", certificate->not_after)
      .set("module_signing_only", is_limited);
}

void add_signatures(std::string_view bytes, std::string_view path, TableReader& out) {
  const auto list = parse_efi_signatures(bytes);
  if (list.is_cut) out.gap("mok", "*", {ErrorCode::kMalformed, concat({path, ": is cut or makes no sense"})});
  for (const auto& signature : list.signatures) {
    if (signature.kind == EfiSignatureKind::kCertificate) {
      add_certificate(signature.data, out);
      continue;
    }
    const bool is_digest = signature.kind == EfiSignatureKind::kSha256;
    auto row = out.row();
    row.set("source", "mok").set("kind", is_digest ? "sha256" : "other");
    if (is_digest) row.set("sha256", to_hex(signature.data));
  }
}

// Long lists go on in MokListRT1, MokListRT2, …
void read_variables(TableReader& out) {
  for (int part = 0; part < kMaxParts; ++part) {
    const auto path = concat({kVariable, part == 0 ? "" : std::to_string(part), "-", kShimVariable});
    const auto file = out.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return out.gap("mok", "*", file.error());
    add_signatures(std::string_view(file->bytes).substr(std::min(kAttributes, file->bytes.size())), path, out);
  }
}

void read_machine_owner_keys(TableReader& out) {
  const auto efi = was_started_by_efi(out.host());
  if (!efi) return out.gap("mok", "*", efi.error());
  if (!*efi) return;
  const auto file = out.files().read(kSysfs);
  if (file) return add_signatures(file->bytes, kSysfs, out);
  if (file.error().code != ErrorCode::kNotFound) return out.gap("mok", "*", file.error());
  const auto variables = out.files().list("/sys/firmware/efi/efivars");
  if (!variables || variables->empty())
    return out.gap("mok", "*",
                   {ErrorCode::kNotFound, "/sys/firmware/efi/efivars: is not mounted, so the list is not known"});
  read_variables(out);
}

void read_kernel_keys(TableReader& out) {
  const auto text = out.host().kernel_keys();
  if (!text) return out.gap("kernel", "*", kernel_fact_error(out.host(), text.error()));
  const auto keys = parse_proc_keys(*text);
  if (!keys.shows_trusted)
    out.gap("kernel", "*", {ErrorCode::kPermission, "/proc/keys: does not show the kernel's own keyrings"});
  for (const auto& key : keys.keys) {
    out.row()
        .set("source", "kernel")
        .set("kind", "certificate")
        .set("name", key.description)
        .set("key_id", key.identifier);
  }
}

void read_mok_keys(TableReader& out) {
  read_machine_owner_keys(out);
  read_kernel_keys(out);
}

}  // namespace

Probe mok_keys_probe() {
  return {{"mok_keys",
           "The keys whose signatures on kernel modules may be believed: the machine owner's list and the kernel's own "
           "certificates. /proc/keys does not say in which keyring a certificate is.",
           kColumns},
          &read_mok_keys};
}

}  // namespace gpuharden
