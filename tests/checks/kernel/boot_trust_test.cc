// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/kernel/der.h"
#include "checks/kernel/efi_signatures.h"
#include "checks/kernel/elf_note.h"
#include "checks/kernel/private_key.h"
#include "checks/kernel/proc_keys.h"
#include "checks/kernel/x509.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using namespace std::string_view_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr auto* kSerial = "4b12f5fc37a48fe01280079c62523f1b7ec6f6e0";
constexpr auto* kSecureBoot = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr auto kOn = "\x06\0\0\0\x01"sv;

TEST(Der, TakesOneValueAfterTheOther) {
  auto text = "\x02\x01\x05\x30\x00rest"sv;
  EXPECT_EQ(take_der(text, kDerInteger)->content, "\x05");
  EXPECT_FALSE(take_der(text, kDerInteger));
  EXPECT_TRUE(take_der(text, kDerSequence)->content.empty());
  EXPECT_EQ(text, "rest");
}

TEST(Der, RefusesWhatDoesNotFit) {
  for (const auto bytes :
       {"\x02\x05\x01"sv, "\x02\x84\xff\xff\xff\xff"sv, "\x02\x80\0"sv, "\x1f\x01\x01"sv, "\x02"sv}) {
    auto text = bytes;
    EXPECT_FALSE(take_der(text));
  }
}

TEST(Der, ReadsIdentifiersAndTimes) {
  EXPECT_EQ(format_object_identifier("\x55\x04\x03"), "2.5.4.3");
  EXPECT_EQ(format_object_identifier("\x2b\x06\x01\x04\x01\x92\x08\x10\x01\x02"), "1.3.6.1.4.1.2312.16.1.2");
  EXPECT_EQ(parse_der_time({0x17, "700101000000Z"}), 0);
  EXPECT_EQ(parse_der_time({0x18, "20240229120000Z"}), 1709208000);
  EXPECT_FALSE(parse_der_time({0x17, "701301000000Z"}));
  EXPECT_FALSE(parse_der_time({0x17, "7001010000Z"}));
}

TEST(X509, TellsWhoseItIs) {
  const auto certificate = parse_certificate(read_source("tests/data/kernel/owner/var/lib/dkms/mok.pub"));
  ASSERT_TRUE(certificate);
  EXPECT_EQ(certificate->common_name, "DKMS module signing key");
  EXPECT_EQ(certificate->subject, "O=Example, CN=DKMS module signing key");
  EXPECT_EQ(certificate->serial, kSerial);
  EXPECT_EQ(certificate->key_id.size(), 40U);
  EXPECT_GT(certificate->not_after, certificate->not_before);
  EXPECT_THAT(certificate->purposes, ElementsAre("1.3.6.1.5.5.7.3.3", "1.3.6.1.4.1.2312.16.1.2"));
}

TEST(X509, IsMalformedWhenCut) {
  const auto der = read_source("tests/data/kernel/owner/var/lib/dkms/mok.pub");
  EXPECT_FALSE(parse_certificate(der.substr(0, 100)));
  EXPECT_FALSE(parse_certificate(""));
  EXPECT_FALSE(parse_certificate("-----BEGIN CERTIFICATE-----"));
}

TEST(EfiSignatures, SaysWhenAListIsCut) {
  const auto list = read_source("tests/data/kernel/enrolled/sys/firmware/efi/mok-variables/MokListRT");
  const auto whole = parse_efi_signatures(list);
  ASSERT_EQ(whole.signatures.size(), 2U);
  EXPECT_EQ(whole.signatures[0].kind, EfiSignatureKind::kCertificate);
  EXPECT_EQ(whole.signatures[1].kind, EfiSignatureKind::kSha256);
  EXPECT_FALSE(whole.is_cut);
  EXPECT_TRUE(parse_efi_signatures(list.substr(0, list.size() - 1)).is_cut);
  EXPECT_FALSE(parse_efi_signatures("").is_cut);
}

TEST(ElfNote, FindsTheBuildId) {
  EXPECT_EQ(build_id_of_note("\x04\0\0\0\x02\0\0\0\x03\0\0\0GNU\0\xab\xcd\0\0"sv), "abcd");
  EXPECT_EQ(build_id_of_note("\x04\0\0\0\xff\0\0\0\x03\0\0\0GNU\0\xab"sv), "");
  EXPECT_FALSE(
      elf_build_id("\x7f"
                   "ELF\x02\x01 no"));
  EXPECT_TRUE(elf_build_id(read_source("tests/data/kernel/modules/tiny.ko")));
}

TEST(ProcKeys, NamesCertificates) {
  const auto keys = parse_proc_keys(read_source("tests/fuzz/corpus/proc_keys/debian"));
  ASSERT_EQ(keys.keys.size(), 1U);
  EXPECT_TRUE(keys.shows_trusted);
  EXPECT_EQ(keys.keys[0].description, "Debian Secure Boot CA");
  EXPECT_EQ(keys.keys[0].identifier, "6ccece7e4c6c0d1f6149f3dd27dfcc5cbb419ea1");
}

TEST(PrivateKey, TellsWhetherItIsProtected) {
  EXPECT_EQ(is_encrypted_key("-----BEGIN PRIVATE KEY-----\n"), false);
  EXPECT_EQ(is_encrypted_key("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"), true);
  EXPECT_EQ(is_encrypted_key("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"), true);
  EXPECT_EQ(is_encrypted_key("\x30\x82\x04\xbd\x02\x01\0"sv), false);
  EXPECT_EQ(is_encrypted_key("\x30\x82\x04\xbd\x30\x40"sv), true);
  EXPECT_FALSE(is_encrypted_key("-----BEGIN CERTIFICATE-----"));
  EXPECT_FALSE(is_encrypted_key(""));
}

TEST(SecureBootProbe, KnowsThatABiosHasNone) {
  Capture capture;
  capture.folder("/sys/firmware").file("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
  const auto table = read_table(*capture.open(), "secure_boot");
  EXPECT_EQ(table.rows[0].at("firmware"), "other");
  EXPECT_EQ(table.rows[0].at("secure_boot"), "NULL");
  EXPECT_TRUE(table.gaps.empty());
}

TEST(SecureBootProbe, SeesThatShimDoesNotValidate) {
  Capture capture;
  capture.file(kSecureBoot, kOn)
      .file("/sys/firmware/efi/efivars/MokSBStateRT-605dab50-e046-4300-abb6-3dd810dd8b23", kOn)
      .file("/sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
  const auto table = read_table(*capture.open(), "secure_boot");
  EXPECT_EQ(table.rows[0].at("secure_boot"), "1");
  EXPECT_EQ(table.rows[0].at("setup_mode"), "0");
  EXPECT_EQ(table.rows[0].at("shim_insecure"), "1");
}

TEST(MokKeysProbe, ListsTheOwnersAndTheKernelsKeys) {
  Capture capture;
  capture.tree("tests/data/kernel/enrolled").file("/proc/keys", read_source("tests/fuzz/corpus/proc_keys/debian"));
  const auto table = read_table(*capture.open(), "mok_keys");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].at("serial"), kSerial);
  EXPECT_EQ(table.rows[0].at("module_signing_only"), "1");
  EXPECT_EQ(table.rows[1].at("kind"), "sha256");
  EXPECT_EQ(table.rows[2].at("source"), "kernel");
  EXPECT_THAT(table.gap_words(), IsEmpty());
}

TEST(MokKeysProbe, SaysThatTheKernelsKeysAreNotShown) {
  Capture capture;
  capture.folder("/sys/firmware")
      .file("/proc/keys", "0ff1a0b0 I--Q---     2 perm 1f3f0000     0 65534 keyring   _uid.0: empty\n");
  EXPECT_THAT(read_table(*capture.open(), "mok_keys").gap_words(), ElementsAre("kernel * permission"));
}

TEST(MokKeysProbe, IsAGapWhenTheListIsCut) {
  Capture capture;
  capture.file("/sys/firmware/efi/mok-variables/MokListRT", "short").file("/proc/keys", ".builtin_trusted_keys");
  EXPECT_THAT(read_table(*capture.open(), "mok_keys").gap_words(),
              ElementsAre("kernel * permission", "mok * malformed"));
}

TEST(SigningKeysProbe, KnowsTheKeyAndItsCertificate) {
  Capture capture;
  capture.file("/var/lib/dkms/mok.key", "-----BEGIN PRIVATE KEY-----\nsecret\n")
      .file("/var/lib/dkms/mok.pub", read_source("tests/data/kernel/owner/var/lib/dkms/mok.pub"))
      .yaml("paths: {/var/lib/dkms/mok.key: {mode: \"0640\"}}");
  const auto table = read_table(*capture.open(), "signing_keys");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("origin"), "dkms");
  EXPECT_EQ(table.rows[0].at("encrypted"), "0");
  EXPECT_EQ(table.rows[0].at("serial"), kSerial);
  EXPECT_EQ(table.rows[0].at("mode"), std::to_string(0640));
}

TEST(SigningKeysProbe, FollowsDkmsConfiguration) {
  Capture capture;
  capture.file("/etc/dkms/framework.conf", "mok_signing_key=/srv/k.pem\n").file("/srv/k.pem", "x");
  const auto table = read_table(*capture.open(), "signing_keys");
  EXPECT_EQ(table.where("origin", "framework.conf").at("encrypted"), "NULL");
}

TEST(ModuleFilesProbe, ReadsTheFileAndWhatIsLoaded) {
  Capture capture;
  capture.tree("tests/data/kernel/enrolled")
      .file("/sys/module/nvidia/initstate", "live\n")
      .file("/sys/module/nvidia/srcversion", "0123456789ABCDEF0123456\n")
      .yaml("kernel: {release: 6.8.0-45-generic}");
  const auto table = read_table(*capture.open(), "module_files");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("signed"), "1");
  EXPECT_EQ(table.rows[0].at("signer"), "DKMS module signing key");
  EXPECT_EQ(table.rows[0].at("signer_serial"), kSerial);
  EXPECT_EQ(table.rows[0].at("loaded"), "1");
  EXPECT_EQ(table.rows[0].at("loaded_source_version"), table.rows[0].at("source_version"));
}

TEST(ModuleFilesProbe, IsAGapForWhatIsNoModule) {
  Capture capture;
  capture.file("/lib/modules/6.8/modules.dep", "updates/nvidia.ko:\n")
      .file("/lib/modules/6.8/updates/nvidia.ko",
            "\x7f"
            "ELF cut")
      .folder("/sys/module")
      .yaml("kernel: {release: '6.8'}");
  const auto table = read_table(*capture.open(), "module_files");
  EXPECT_EQ(table.rows[0].at("signed"), "UNREAD");
}

}  // namespace
}  // namespace gpuharden::test
