// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/worker_line.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxValues = 64;

std::optional<std::uint64_t> parse_bits(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  return parse_unsigned(text.substr(2), 16);
}

// Nothing where an element is no "0x…".
std::optional<std::vector<std::uint64_t>> parse_list(const nlohmann::json& list) {
  std::vector<std::uint64_t> values;
  for (const auto& element : list) {
    const auto bits = element.is_string() ? parse_bits(element.get_ref<const std::string&>()) : std::nullopt;
    if (!bits) return std::nullopt;
    values.push_back(*bits);
  }
  return values;
}

Error malformed(std::string_view why) { return {ErrorCode::kMalformed, concat({"a line of gpu-worker: ", why})}; }

}  // namespace

Result<WorkerLine> WorkerLine::parse(std::string_view text) {
  if (text.size() > kMaxWorkerLine) return Error{ErrorCode::kTooLarge, "a line of gpu-worker is too long"};
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.size() > kMaxValues) return malformed("no flat JSON object");
  WorkerLine line;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string()) {
      line.values_[key] = value.get<std::string>();
    } else if (value.is_number_unsigned()) {
      line.values_[key] = value.get<std::uint64_t>();
    } else if (value.is_number_float()) {
      line.values_[key] = value.get<double>();
    } else if (value.is_boolean()) {
      line.values_[key] = value.get<bool>();
    } else {
      auto list = value.is_array() ? parse_list(value) : std::nullopt;
      if (!list) return malformed(concat({"\"", key, "\" is of no known type"}));
      line.values_[key] = std::move(*list);
    }
  }
  if (line.kind().empty()) return malformed("no kind");
  return line;
}

std::string_view WorkerLine::text(std::string_view key) const {
  const auto* value = get<std::string>(key);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

std::optional<std::uint64_t> WorkerLine::number(std::string_view key) const {
  const auto* value = get<std::uint64_t>(key);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<double> WorkerLine::real(std::string_view key) const {
  if (const auto whole = number(key)) return static_cast<double>(*whole);
  const auto* value = get<double>(key);
  if (value == nullptr || !std::isfinite(*value) || *value < 0) return std::nullopt;
  return *value;
}

bool WorkerLine::flag(std::string_view key) const {
  const auto* value = get<bool>(key);
  return value != nullptr && *value;
}

std::optional<std::uint64_t> WorkerLine::bits(std::string_view key) const { return parse_bits(text(key)); }

std::vector<std::uint64_t> WorkerLine::all_bits(std::string_view key) const {
  const auto* value = get<std::vector<std::uint64_t>>(key);
  return value == nullptr ? std::vector<std::uint64_t>() : *value;
}

}  // namespace gpuharden
