// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/der.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint8_t kUtcTime = 0x17;
constexpr std::uint8_t kGeneralizedTime = 0x18;
constexpr std::size_t kMaxIdentifier = 64;  // bytes

std::uint8_t byte_at(std::string_view text, std::size_t at) { return static_cast<std::uint8_t>(text[at]); }

// Days from 1970-01-01 in the Gregorian calendar.
std::int64_t days_of(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = year / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

}  // namespace

std::optional<DerValue> take_der(std::string_view& text) {
  constexpr std::uint8_t kLongTag = 0x1f;
  if (text.size() < 2 || (byte_at(text, 0) & kLongTag) == kLongTag) return std::nullopt;
  std::size_t at = 2;
  std::size_t size = byte_at(text, 1);
  if (size >= 0x80) {
    const std::size_t count = size & 0x7fU;
    if (count == 0 || count > 4 || text.size() < at + count) return std::nullopt;
    size = 0;
    for (std::size_t i = 0; i < count; ++i) size = size << 8U | byte_at(text, at++);
  }
  if (size > text.size() - at) return std::nullopt;
  const DerValue value{byte_at(text, 0), text.substr(at, size)};
  text.remove_prefix(at + size);
  return value;
}

std::optional<DerValue> take_der(std::string_view& text, std::uint8_t tag) {
  if (text.empty() || byte_at(text, 0) != tag) return std::nullopt;
  return take_der(text);
}

std::string format_object_identifier(std::string_view content) {
  if (content.empty() || content.size() > kMaxIdentifier) return {};
  const auto first = byte_at(content, 0);
  const unsigned top = first < 80 ? first / 40U : 2U;
  std::string out = concat({std::to_string(top), ".", std::to_string(first - top * 40U)});
  std::uint64_t number = 0;
  for (std::size_t i = 1; i < content.size(); ++i) {
    number = number << 7U | (byte_at(content, i) & 0x7fU);
    if ((byte_at(content, i) & 0x80U) != 0) continue;
    out += "." + std::to_string(number);
    number = 0;
  }
  return out;
}

std::optional<std::int64_t> parse_der_time(const DerValue& value) {
  const std::size_t year_digits = value.tag == kGeneralizedTime ? 4 : 2;
  if (value.tag != kUtcTime && value.tag != kGeneralizedTime) return std::nullopt;
  const auto text = value.content;
  if (text.size() != year_digits + 11 || text.back() != 'Z') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t count) {
    const auto digits = parse_unsigned(text.substr(at, count));
    return digits ? static_cast<std::int64_t>(*digits) : -1;
  };
  std::int64_t year = number(0, year_digits);
  if (year_digits == 2 && year >= 0) year += year < 50 ? 2000 : 1900;
  std::int64_t parts[5] = {};
  for (std::size_t i = 0; i < 5; ++i) parts[i] = number(year_digits + i * 2, 2);
  for (const auto part : parts) {
    if (part < 0) return std::nullopt;
  }
  if (year < 0 || parts[0] < 1 || parts[0] > 12 || parts[1] < 1 || parts[1] > 31) return std::nullopt;
  return days_of(year, parts[0], parts[1]) * 86400 + parts[2] * 3600 + parts[3] * 60 + parts[4];
}

}  // namespace gpuharden
