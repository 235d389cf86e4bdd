// SPDX-License-Identifier: GPL-2.0-or-later
// One line of gpu-worker. A vendor's library lives in that process: what comes from it is as hostile as a file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

constexpr std::size_t kMaxWorkerLine = 65536;

// A flat JSON object with a "kind". Getters answer with nothing where the key is missing or of another type.
class WorkerLine {
 public:
  // kTooLarge, or kMalformed for anything but a flat object of at most 64 values.
  static Result<WorkerLine> parse(std::string_view line);

  std::string_view kind() const { return text("kind"); }
  std::string_view text(std::string_view key) const;
  std::optional<std::uint64_t> number(std::string_view key) const;
  std::optional<double> real(std::string_view key) const;  // finite, not negative
  bool flag(std::string_view key) const;
  // "0x…" as 64 bits; lists of them.
  std::optional<std::uint64_t> bits(std::string_view key) const;
  std::vector<std::uint64_t> all_bits(std::string_view key) const;

 private:
  using Value = std::variant<std::string, std::uint64_t, double, bool, std::vector<std::uint64_t>>;
  template <typename T>
  const T* get(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : std::get_if<T>(&found->second);
  }
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace gpuharden
