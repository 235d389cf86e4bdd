// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/openpgp.h"

#include <tuple>

#include "checks/apt/openpgp_packets.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr unsigned kTagSignature = 2;
constexpr unsigned kTagPublicKey = 6;
constexpr unsigned kTagUserId = 13;
constexpr unsigned kTagSubkey = 14;
constexpr std::size_t kMostKeys = 10000;

struct Algorithm {
  std::uint32_t number;
  std::string_view name;
  bool has_curve;      // an OID follows
  std::uint32_t bits;  // fixed, or 0
};
constexpr Algorithm kAlgorithms[] = {{1, "rsa", false, 0},      {2, "rsa", false, 0},        {3, "rsa", false, 0},
                                     {16, "elgamal", false, 0}, {17, "dsa", false, 0},       {18, "ecdh", true, 0},
                                     {19, "ecdsa", true, 0},    {22, "eddsa", true, 0},      {25, "x25519", false, 256},
                                     {26, "x448", false, 448},  {27, "ed25519", false, 256}, {28, "ed448", false, 456}};

struct Curve {
  std::string_view oid;  // as in the key, without its length
  std::uint32_t bits;
};
constexpr Curve kCurves[] = {{"\x2A\x86\x48\xCE\x3D\x03\x01\x07", 256},
                             {"\x2B\x81\x04\x00\x22", 384},
                             {"\x2B\x81\x04\x00\x23", 521},
                             {"\x2B\x24\x03\x03\x02\x08\x01\x01\x07", 256},
                             {"\x2B\x24\x03\x03\x02\x08\x01\x01\x0B", 384},
                             {"\x2B\x24\x03\x03\x02\x08\x01\x01\x0D", 512},
                             {"\x2B\x06\x01\x04\x01\xDA\x47\x0F\x01", 256},
                             {"\x2B\x06\x01\x04\x01\x97\x55\x01\x05\x01", 256},
                             {"\x2B\x65\x70", 256},
                             {"\x2B\x65\x71", 456}};

std::string upper_hex(std::string_view bytes) {
  std::string out = to_hex(bytes);
  for (auto& c : out) c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string big_endian(std::size_t value, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8)
    out += static_cast<char>((value >> static_cast<unsigned>(shift)) & 0xFFU);
  return out;
}

std::string fingerprint_of(int version, std::string_view body) {
  if (version == 6) return upper_hex(sha256(concat({"\x9b", big_endian(body.size(), 4), body})));
  if (version == 5) return upper_hex(sha256(concat({"\x9a", big_endian(body.size(), 4), body})));
  return upper_hex(sha1(concat({"\x99", big_endian(body.size() & 0xFFFFU, 2), body})));
}

std::optional<std::uint32_t> key_bits(const Algorithm& algorithm, ByteReader& material) {
  if (algorithm.bits != 0) return algorithm.bits;
  if (!algorithm.has_curve) return material.number(2);
  const auto oid = material.take(material.number(1));
  for (const auto& curve : kCurves) {
    if (curve.oid == oid) return curve.bits;
  }
  return std::nullopt;
}

std::optional<OpenPgpKey> parse_key(std::string_view body) {
  ByteReader reader(body);
  OpenPgpKey key;
  key.version = static_cast<int>(reader.number(1));
  if (key.version < 4 || key.version > 6) return std::nullopt;
  key.created = reader.number(4);
  const auto number = reader.number(1);
  if (key.version > 4) reader.take(4);  // the size of what follows
  key.algorithm = "algorithm " + std::to_string(number);
  for (const auto& algorithm : kAlgorithms) {
    if (algorithm.number != number) continue;
    key.algorithm = algorithm.name;
    key.bits = key_bits(algorithm, reader);
  }
  if (reader.failed()) return std::nullopt;
  key.fingerprint = fingerprint_of(key.version, body);
  return key;
}

struct Signature {
  std::uint32_t type = 0;
  std::uint32_t digest = 0;
  std::int64_t created = 0;
  std::uint32_t lifetime = 0;  // of the key, seconds; 0: for ever
  std::string issuer;          // key id or fingerprint, upper-case hexadecimal
};

void take_subpackets(std::string_view bytes, bool hashed, Signature& signature) {
  ByteReader area(bytes);
  while (const auto subpacket = next_subpacket(area)) {
    ByteReader body(subpacket->body);
    if (hashed && subpacket->type == 2) signature.created = body.number(4);
    if (hashed && subpacket->type == 9) signature.lifetime = body.number(4);
    if (subpacket->type == 16 && signature.issuer.empty()) signature.issuer = upper_hex(body.take(8));
    if (subpacket->type == 33) {
      body.take(1);
      signature.issuer = upper_hex(body.rest());
    }
  }
}

Signature parse_old_signature(ByteReader& reader) {
  Signature signature;
  reader.take(1);
  signature.type = reader.number(1);
  signature.created = reader.number(4);
  signature.issuer = upper_hex(reader.take(8));
  reader.take(1);
  signature.digest = reader.number(1);
  return signature;
}

std::optional<Signature> parse_signature(std::string_view body) {
  ByteReader reader(body);
  const auto version = reader.number(1);
  if (version < 3 || version > 6) return std::nullopt;
  if (version == 3) return parse_old_signature(reader);
  Signature signature;
  signature.type = reader.number(1);
  reader.take(1);
  signature.digest = reader.number(1);
  const std::size_t width = version == 6 ? 4 : 2;
  const auto hashed = reader.take(reader.number(width));
  const auto unhashed = reader.take(reader.number(width));
  if (reader.failed()) return std::nullopt;
  take_subpackets(hashed, true, signature);
  take_subpackets(unhashed, false, signature);
  return signature;
}

// A key id is the end of a version 4 fingerprint and the beginning of later ones.
bool is_issuer(const OpenPgpKey& key, const std::string& issuer) {
  if (issuer.empty() || issuer == key.fingerprint) return true;
  if (issuer.size() != 16 || key.fingerprint.size() < 16) return false;
  return key.version == 4 ? key.fingerprint.compare(key.fingerprint.size() - 16, 16, issuer) == 0
                          : key.fingerprint.compare(0, 16, issuer) == 0;
}

class KeyCollector {
 public:
  void take(const OpenPgpPacket& packet) {
    if (packet.tag == kTagPublicKey) return start(packet.body);
    if (!open_) return;
    if (packet.tag == kTagSubkey) in_subkeys_ = true;
    if (packet.tag == kTagUserId && keys_.back().user_id.empty()) keys_.back().user_id = packet.body.substr(0, 1000);
    if (packet.tag != kTagSignature || in_subkeys_) return;
    if (const auto signature = parse_signature(packet.body)) take_signature(*signature);
  }

  std::vector<OpenPgpKey> keys() && { return std::move(keys_); }
  bool skipped() const { return skipped_; }

 private:
  void start(std::string_view body) {
    auto key = parse_key(body);
    open_ = key.has_value() && keys_.size() < kMostKeys;
    skipped_ = skipped_ || !open_;
    in_subkeys_ = false;
    newest_ = {-1, false};
    if (open_) keys_.push_back(std::move(*key));
  }

  void take_signature(const Signature& signature) {
    constexpr std::uint32_t kRevocation = 0x20;
    constexpr std::uint32_t kDirect = 0x1F;
    OpenPgpKey& key = keys_.back();
    if (!is_issuer(key, signature.issuer)) return;
    if (signature.type == kRevocation) key.revoked = true;
    const bool certifies = (signature.type >= 0x10 && signature.type <= 0x13) || signature.type == kDirect;
    if (!certifies) return;
    const bool is_weak = signature.digest <= 3;  // MD5, SHA-1, RIPEMD-160
    key.weak_digests_only = key.weak_digests_only.value_or(true) && is_weak;
    const std::pair rank{signature.created, signature.lifetime != 0};
    if (rank <= newest_) return;
    newest_ = rank;
    key.expires =
        signature.lifetime == 0 ? std::nullopt : std::optional<std::int64_t>(key.created + signature.lifetime);
  }

  std::vector<OpenPgpKey> keys_;
  bool open_ = false;
  bool in_subkeys_ = false;
  bool skipped_ = false;
  std::pair<std::int64_t, bool> newest_{-1, false};
};

KeyringContainer container_of(std::string_view bytes) {
  if (bytes.empty()) return KeyringContainer::kEmpty;
  if (bytes.size() >= 12 && bytes.substr(8, 4) == "KBXf") return KeyringContainer::kKeybox;
  if (bytes.find("-----BEGIN PGP PUBLIC KEY BLOCK-----") != std::string_view::npos) return KeyringContainer::kArmored;
  const auto first = static_cast<unsigned char>(bytes[0]);
  // A public key packet, old format with one, two or four octets of length, or new format.
  const bool is_key = first == 0x98 || first == 0x99 || first == 0x9A || first == 0xC6;
  return is_key ? KeyringContainer::kBinary : KeyringContainer::kUnknown;
}

}  // namespace

std::string_view to_string(KeyringContainer container) {
  constexpr std::string_view kWords[] = {"empty", "binary", "armored", "keybox", "unknown"};
  return kWords[static_cast<std::size_t>(container)];
}

Keyring parse_keyring(std::string_view bytes) {
  Keyring keyring;
  keyring.container = container_of(bytes);
  std::string decoded;
  if (keyring.container == KeyringContainer::kArmored) {
    auto block = dearmour(bytes);
    if (!block) {
      keyring.fault = "its armour makes no sense";
      return keyring;
    }
    decoded = std::move(*block);
    bytes = decoded;
  } else if (keyring.container != KeyringContainer::kBinary) {
    return keyring;
  }
  PacketReader packets(bytes);
  KeyCollector collector;
  while (const auto packet = packets.next()) collector.take(*packet);
  if (packets.failed()) keyring.fault = "a packet is cut or makes no sense";
  if (collector.skipped()) keyring.fault = "a key packet is of no known version or makes no sense";
  keyring.keys = std::move(collector).keys();
  return keyring;
}

}  // namespace gpuharden
