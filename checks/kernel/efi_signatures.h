// SPDX-License-Identifier: GPL-2.0-or-later
// EFI signature lists: the certificates and digests that firmware, shim and kernel trust.
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

enum class EfiSignatureKind { kCertificate, kSha256, kOther };

struct EfiSignature {
  EfiSignatureKind kind = EfiSignatureKind::kOther;
  std::string_view data;  // of the bytes that were parsed
};

struct EfiSignatures {
  std::vector<EfiSignature> signatures;
  bool is_cut = false;  // the bytes end, or stop making sense, within a list
};

EfiSignatures parse_efi_signatures(std::string_view bytes);

}  // namespace gpuharden
