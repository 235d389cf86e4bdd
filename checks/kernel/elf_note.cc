// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/elf_note.h"

#include <cstdint>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using namespace std::string_view_literals;

constexpr std::uint64_t kSectionHeader = 64;  // bytes
constexpr std::size_t kMaxIdentifier = 64;
constexpr auto kSectionName = ".note.gnu.build-id\0"sv;

class Elf {
 public:
  explicit Elf(std::string_view file) : file_(file) {}

  std::optional<std::uint64_t> number(std::uint64_t at, std::size_t bytes) const {
    if (at > file_.size() || bytes > file_.size() - at) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8U | static_cast<std::uint8_t>(file_[at + i]);
    return value;
  }
  std::optional<std::string_view> bytes(std::uint64_t at, std::uint64_t size) const {
    if (at > file_.size() || size > file_.size() - at) return std::nullopt;
    return file_.substr(at, size);
  }

 private:
  std::string_view file_;
};

struct Section {
  std::uint64_t name = 0, offset = 0, size = 0;
};

std::optional<Section> section_at(const Elf& elf, std::uint64_t table, std::uint64_t index) {
  const auto at = table + index * kSectionHeader;
  const auto name = elf.number(at, 4);
  const auto offset = elf.number(at + 24, 8);
  const auto size = elf.number(at + 32, 8);
  if (!name || !offset || !size) return std::nullopt;
  return Section{*name, *offset, *size};
}

}  // namespace

std::string build_id_of_note(std::string_view note) {
  const Elf elf(note);
  const auto name_size = elf.number(0, 4);
  const auto size = elf.number(4, 4);
  constexpr std::uint64_t kNameAt = 12;
  if (!name_size || !size || *name_size != 4 || *size == 0 || *size > kMaxIdentifier) return {};
  if (elf.bytes(kNameAt, 4) != "GNU\0"sv) return {};
  const auto identifier = elf.bytes(kNameAt + 4, *size);
  return identifier ? to_hex(*identifier) : std::string();
}

Result<std::string> elf_build_id(std::string_view file) {
  const Error malformed{ErrorCode::kMalformed, "not a 64-bit ELF file, or cut"};
  // Class 2 is 64 bits, data 1 little-endian.
  if (!file.starts_with("\x7f"
                        "ELF\x02\x01"sv))
    return malformed;
  const Elf elf(file);
  const auto table = elf.number(40, 8);
  const auto each = elf.number(58, 2);
  const auto count = elf.number(60, 2);
  const auto names_index = elf.number(62, 2);
  if (!table || !each || !count || !names_index || *each != kSectionHeader || *table > file.size()) return malformed;
  const auto names = section_at(elf, *table, *names_index);
  if (!names) return malformed;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto section = section_at(elf, *table, i);
    if (!section) return malformed;
    if (section->name > file.size() || names->offset > file.size()) return malformed;
    if (elf.bytes(names->offset + section->name, kSectionName.size()) != kSectionName) continue;
    const auto note = elf.bytes(section->offset, section->size);
    if (!note) return malformed;
    return build_id_of_note(*note);
  }
  return std::string();
}

}  // namespace gpuharden
