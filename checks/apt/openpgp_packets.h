// SPDX-License-Identifier: GPL-2.0-or-later
// The framing of OpenPGP: armour, packets, signature subpackets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// Reads big-endian numbers and stretches of bytes; once it runs out, everything is zero or empty.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  std::uint32_t number(std::size_t size);
  std::string_view take(std::size_t size);
  std::string_view rest() const { return bytes_; }
  bool at_end() const { return bytes_.empty(); }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

struct OpenPgpPacket {
  unsigned tag = 0;
  std::string body;
};

// The next packet, old or new format, with partial lengths put together. Nothing at the end and
// when the header makes no sense or says more bytes than there are; `failed()` tells which.
class PacketReader {
 public:
  explicit PacketReader(std::string_view bytes) : reader_(bytes) {}
  std::optional<OpenPgpPacket> next();
  bool failed() const { return failed_; }

 private:
  std::optional<OpenPgpPacket> fail();
  std::optional<OpenPgpPacket> old_format(unsigned head);
  std::optional<OpenPgpPacket> new_format(unsigned head);
  ByteReader reader_;
  bool failed_ = false;
};

struct Subpacket {
  unsigned type = 0;
  std::string_view body;
};
// The next subpacket of a signature's area; nothing at its end.
std::optional<Subpacket> next_subpacket(ByteReader& area);

// The bytes of every armoured public key block in the text; lines may be indented. Nothing when
// there is no block, or when one holds other letters than base64.
std::optional<std::string> dearmour(std::string_view text);

}  // namespace gpuharden
