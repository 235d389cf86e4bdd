// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/openpgp_packets.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBegin = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
constexpr std::string_view kEnd = "-----END PGP PUBLIC KEY BLOCK-----";

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

class Base64Decoder {
 public:
  // False at a letter that base64 does not have.
  bool take(std::string_view line) {
    for (const char c : line) {
      if (c == '=') continue;
      const int value = base64_value(c);
      if (value < 0) return false;
      bits_ = (bits_ << 6U) | static_cast<std::uint32_t>(value);
      count_ += 6;
      if (count_ < 8) continue;
      count_ -= 8;
      bytes_ += static_cast<char>((bits_ >> count_) & 0xFFU);
    }
    return true;
  }
  // A block's padding ends it.
  void end_block() { count_ = 0; }
  std::string bytes() && { return std::move(bytes_); }

 private:
  std::string bytes_;
  std::uint32_t bits_ = 0;
  unsigned count_ = 0;
};

enum class ArmourState { kOutside, kHeaders, kBody };

}  // namespace

std::uint32_t ByteReader::number(std::size_t size) {
  std::uint32_t value = 0;
  for (const char byte : take(size)) value = (value << 8U) | static_cast<unsigned char>(byte);
  return value;
}

std::string_view ByteReader::take(std::size_t size) {
  if (size > bytes_.size()) {
    failed_ = true;
    bytes_ = {};
    return {};
  }
  const auto taken = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return taken;
}

std::optional<OpenPgpPacket> PacketReader::fail() {
  failed_ = true;
  return std::nullopt;
}

std::optional<OpenPgpPacket> PacketReader::next() {
  if (failed_ || reader_.at_end()) return std::nullopt;
  const auto head = reader_.number(1);
  if ((head & 0x80U) == 0) return fail();
  return (head & 0x40U) != 0 ? new_format(head) : old_format(head);
}

std::optional<OpenPgpPacket> PacketReader::old_format(unsigned head) {
  constexpr std::size_t kSizes[] = {1, 2, 4};
  const unsigned kind = head & 3U;
  const std::size_t length = kind < 3 ? reader_.number(kSizes[kind]) : reader_.rest().size();
  const auto body = reader_.take(length);
  if (reader_.failed()) return fail();
  return OpenPgpPacket{(head >> 2U) & 0x0FU, std::string(body)};
}

std::optional<OpenPgpPacket> PacketReader::new_format(unsigned head) {
  OpenPgpPacket packet{head & 0x3FU, {}};
  for (bool more = true; more;) {
    const auto first = reader_.number(1);
    more = first >= 224 && first < 255;
    std::size_t length = first;
    if (first >= 192 && first < 224) length = ((first - 192) << 8U) + reader_.number(1) + 192;
    if (more) length = std::size_t{1} << (first & 0x1FU);
    if (first == 255) length = reader_.number(4);
    packet.body += reader_.take(length);
    if (reader_.failed()) return fail();
  }
  return packet;
}

std::optional<Subpacket> next_subpacket(ByteReader& area) {
  if (area.at_end()) return std::nullopt;
  std::size_t length = area.number(1);
  if (length >= 192 && length < 255) length = ((length - 192) << 8U) + area.number(1) + 192;
  if (length == 255) length = area.number(4);
  ByteReader body(area.take(length));
  if (area.failed() || length == 0) return std::nullopt;
  const unsigned type = body.number(1) & 0x7FU;  // the top bit says "critical"
  return Subpacket{type, body.rest()};
}

std::optional<std::string> dearmour(std::string_view text) {
  Base64Decoder decoder;
  auto state = ArmourState::kOutside;
  bool found = false;
  for (const auto raw : split(text, '\n')) {
    const auto line = trim(raw);
    if (line == kBegin) {
      state = ArmourState::kHeaders;
      found = true;
    } else if (line == kEnd || state == ArmourState::kOutside) {
      state = ArmourState::kOutside;
    } else if (state == ArmourState::kHeaders &&
               (line.empty() || line == "." || line.find(':') != std::string_view::npos)) {
      if (line.find(':') == std::string_view::npos) state = ArmourState::kBody;
    } else {
      state = ArmourState::kBody;
      if (!line.empty() && line[0] == '=') {
        decoder.end_block();  // the checksum
      } else if (line != "." && !decoder.take(line)) {
        return std::nullopt;
      }
    }
    if (state == ArmourState::kOutside) decoder.end_block();
  }
  return found ? std::optional(std::move(decoder).bytes()) : std::nullopt;
}

}  // namespace gpuharden
