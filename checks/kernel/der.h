// SPDX-License-Identifier: GPL-2.0-or-later
// DER, as far as certificates need it: tags of one byte, definite lengths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

struct DerValue {
  std::uint8_t tag = 0;
  std::string_view content;  // of the text that was parsed
};

constexpr std::uint8_t kDerBoolean = 0x01;
constexpr std::uint8_t kDerInteger = 0x02;
constexpr std::uint8_t kDerOctets = 0x04;
constexpr std::uint8_t kDerName = 0x06;  // object identifier
constexpr std::uint8_t kDerSequence = 0x30;
constexpr std::uint8_t kDerSet = 0x31;

// Takes the first value off `text`; nothing, and `text` as it was, when there is none that fits.
std::optional<DerValue> take_der(std::string_view& text);
// The same, only if it has this tag.
std::optional<DerValue> take_der(std::string_view& text, std::uint8_t tag);

// "2.5.4.3"; empty when it is malformed.
std::string format_object_identifier(std::string_view content);
// Seconds since the epoch of a UTCTime or GeneralizedTime in Zulu time.
std::optional<std::int64_t> parse_der_time(const DerValue& value);

}  // namespace gpuharden
