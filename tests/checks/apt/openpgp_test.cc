// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/openpgp.h"

#include <gtest/gtest.h>

#include "checks/apt/openpgp_packets.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

std::string key_file(std::string_view name) { return read_source("tests/data/apt/" + std::string(name)); }

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

TEST(OpenPgp, ReadsABinaryKeyring) {
  const auto keyring = parse_keyring(key_file("plain.gpg"));
  EXPECT_EQ(keyring.container, KeyringContainer::kBinary);
  ASSERT_EQ(keyring.keys.size(), 1U);
  EXPECT_EQ(keyring.keys[0].fingerprint, "61BD1C3D68A4A81337833009108A950223ACC663");
  EXPECT_EQ(keyring.keys[0].algorithm, "eddsa");
  EXPECT_EQ(keyring.keys[0].bits, 256U);
  EXPECT_EQ(keyring.keys[0].created, 1796001023);
  EXPECT_EQ(keyring.keys[0].expires, std::nullopt);
  EXPECT_EQ(keyring.fault, "");
}

TEST(OpenPgp, ReadsArmourWhateverItsChecksum) {
  std::string text = key_file("plain.asc");
  text.replace(text.find("\n=") + 2, 4, "AAAA");
  EXPECT_EQ(parse_keyring("some text\n" + text + text).keys.size(), 2U);
  EXPECT_EQ(parse_keyring("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n***\n-----END PGP PUBLIC KEY BLOCK-----\n").fault,
            "its armour makes no sense");
}

TEST(OpenPgp, PutsPartialLengthsTogether) {
  // The key packet of 51 octets, as new format in pieces of 32, 16 and 3.
  const std::string old = key_file("plain.gpg");
  const std::string body = old.substr(2, 51);
  const std::string split =
      bytes({0xC6, 0xE5}) + body.substr(0, 32) + bytes({0xE4}) + body.substr(32, 16) + bytes({3}) + body.substr(48);
  const auto keyring = parse_keyring(split);
  ASSERT_EQ(keyring.keys.size(), 1U);
  EXPECT_EQ(keyring.keys[0].fingerprint, "61BD1C3D68A4A81337833009108A950223ACC663");
  EXPECT_EQ(keyring.keys[0].weak_digests_only, std::nullopt);
}

TEST(OpenPgp, KnowsVersionSix) {
  const std::string body = bytes({6, 0x60, 0, 0, 0, 27, 0, 0, 0, 32}) + std::string(32, 'k');
  const auto keyring = parse_keyring(bytes({0xC6, static_cast<int>(body.size())}) + body);
  ASSERT_EQ(keyring.keys.size(), 1U);
  EXPECT_EQ(to_lower(keyring.keys[0].fingerprint),
            to_hex(sha256(bytes({0x9b, 0, 0, 0, static_cast<int>(body.size())}) + body)));
  EXPECT_EQ(keyring.keys[0].algorithm, "ed25519");
}

TEST(OpenPgp, TakesTheNewestSelfSignature) {
  EXPECT_EQ(parse_keyring(key_file("extended.gpg")).keys.at(0).expires, 2082672000);
  EXPECT_EQ(parse_keyring(key_file("expired.gpg")).keys.at(0).expires, 1577923200);
}

TEST(OpenPgp, SurvivesEveryCut) {
  for (const auto* name : {"plain.gpg", "sha1.gpg", "revoked.gpg", "plain.asc"}) {
    const std::string whole = key_file(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_LE(parse_keyring(whole.substr(0, size)).keys.size(), 1U);
    }
  }
}

TEST(OpenPgp, SaysWhatMakesNoSense) {
  EXPECT_EQ(parse_keyring(key_file("plain.gpg").substr(0, 100)).fault, "a packet is cut or makes no sense");
  EXPECT_EQ(parse_keyring(bytes({0x98, 3, 9, 0, 0})).fault, "a key packet is of no known version or makes no sense");
  EXPECT_EQ(parse_keyring(bytes({0xC6, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})).fault, "a packet is cut or makes no sense");
  EXPECT_EQ(parse_keyring("<html>").container, KeyringContainer::kUnknown);
}

TEST(OpenPgp, DoesNotLetStrangersSpeakForAKey) {
  // The revocation of another key, put behind the key packet of 53 octets, changes nothing.
  const std::string plain = key_file("plain.gpg");
  const std::string revoked = key_file("revoked.gpg");
  const std::string revocation = revoked.substr(53, 2U + static_cast<unsigned char>(revoked[54]));
  const auto keyring = parse_keyring(plain.substr(0, 53) + revocation + plain.substr(53));
  EXPECT_EQ(keyring.fault, "");
  EXPECT_FALSE(keyring.keys.at(0).revoked);
  EXPECT_TRUE(parse_keyring(revoked).keys.at(0).revoked);
}

}  // namespace
}  // namespace gpuharden::test
