// SPDX-License-Identifier: GPL-2.0-or-later
// Binary formats that the made-up server needs: kernel modules and OpenPGP keys.
#include <elf.h>

#include <array>
#include <cstring>

#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

template <typename T>
std::string_view bytes_of(const T& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

std::string big_endian(std::size_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>((value >> (8 * i)) & 0xFFU);
  return out;
}

// Bytes that no parser reads, the same for the same text.
std::string filler(std::string_view text, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; out.size() < size; ++i) out += sha256(concat({text, std::to_string(i)}));
  out.resize(size);
  return out;
}

std::string modinfo_section(std::string_view name, std::string_view release) {
  std::string text;
  for (const auto& field :
       {concat({"name=", name}), concat({"vermagic=", release, " SMP preempt mod_unload modversions "}),
        std::string("license=GPL"), concat({"srcversion=", to_hex(sha1(name)).substr(0, 24)}), std::string("intree=Y"),
        std::string("retpoline=Y"), std::string("depends=")}) {
    text += field;
    text += '\0';
  }
  return text;
}

Elf64_Shdr section(std::uint32_t name, std::uint32_t type, std::uint64_t offset, std::uint64_t size) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = type;
  header.sh_offset = offset;
  header.sh_size = size;
  header.sh_addralign = 1;
  return header;
}

// As scripts/sign-file appends it: the message, a trailer with its length, and the magic text.
std::string signature(std::string_view name) {
  const std::string message = filler(name, 400);
  std::string trailer("\0\0\2\0\0\0\0\0", 8);  // PKCS#7, as the third byte says
  return concat({message, trailer, big_endian(message.size(), 4), "~Module signature appended~\n"});
}

}  // namespace

std::string module_file(std::string_view name, std::string_view release, bool is_signed) {
  static constexpr std::string_view kNames("\0.modinfo\0.text\0.shstrtab\0", 26);
  const std::string modinfo = modinfo_section(name, release);
  const std::string code = filler(name, 2048 + 64 * (name.size() % 32));
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, "\177ELF\2\1\1", 7);
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 4;
  header.e_shstrndx = 3;
  const std::size_t start = sizeof header;
  header.e_shoff = start + modinfo.size() + code.size() + kNames.size();
  std::string file = concat({bytes_of(header), modinfo, code, kNames});
  const std::array<Elf64_Shdr, 4> sections = {
      Elf64_Shdr{}, section(1, SHT_PROGBITS, start, modinfo.size()),
      section(10, SHT_PROGBITS, start + modinfo.size(), code.size()),
      section(16, SHT_STRTAB, start + modinfo.size() + code.size(), kNames.size())};
  file += bytes_of(sections);
  return is_signed ? file + signature(name) : file;
}

std::string openpgp_key(std::string_view user_id) {
  // Version 4, made on a fixed day, RSA with 2048 bits and the usual exponent.
  std::string modulus = filler(user_id, 256);
  modulus[0] = static_cast<char>(static_cast<unsigned char>(modulus[0]) | 0x80U);
  const std::string key = concat(
      {"\4", big_endian(1700000000, 4), "\1", big_endian(2048, 2), modulus, big_endian(17, 2), big_endian(65537, 3)});
  return concat({"\x99", big_endian(key.size(), 2), key, "\xb4", big_endian(user_id.size(), 1), user_id});
}

}  // namespace gpuharden::test
