// SPDX-License-Identifier: GPL-2.0-or-later
// Public keys in OpenPGP keyrings (RFC 9580 and 4880). Nothing is verified: a keyring's owner can
// write what he likes into it, so only what he admits is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

enum class KeyringContainer : std::uint8_t { kEmpty, kBinary, kArmored, kKeybox, kUnknown };
std::string_view to_string(KeyringContainer container);

// One primary key with what its own signatures say.
struct OpenPgpKey {
  int version = 0;
  std::string fingerprint;  // upper-case hexadecimal
  std::string algorithm;    // rsa, dsa, elgamal, ecdsa, eddsa, ed25519, ed448, …
  std::optional<std::uint32_t> bits;
  std::int64_t created = 0;             // seconds since the epoch
  std::optional<std::int64_t> expires;  // as the newest self-signature says; nothing: never
  bool revoked = false;
  std::optional<bool> weak_digests_only;  // every self-signature uses SHA-1 or MD5; nothing without one
  std::string user_id;                    // the first one, raw bytes
};

struct Keyring {
  KeyringContainer container = KeyringContainer::kUnknown;
  std::vector<OpenPgpKey> keys;
  std::string fault;  // the first thing that made no sense; what stands before it is in `keys`
};

// The keys of a keyring file, binary or armoured (checksums are not looked at). Never fails.
Keyring parse_keyring(std::string_view bytes);

}  // namespace gpuharden
