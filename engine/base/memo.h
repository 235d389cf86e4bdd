// SPDX-License-Identifier: GPL-2.0-or-later
// Answers about texts, remembered; and texts that many facts share.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace gpuharden {

// So that a view is looked up without a copy.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

// What was found out about a text once. At most kMaxHeld answers are held, then all are forgotten: a host with
// ten thousand accounts is not to cost more memory than one with a hundred.
template <typename T>
class Memo {
 public:
  static constexpr std::size_t kMaxHeld = 4096;

  // The answer for `key`, by `compute` where it is not held; `compute` may ask this memo itself.
  template <typename Compute>
  T get(std::string_view key, Compute compute) {
    const auto found = held_.find(key);
    if (found != held_.end()) return found->second;
    T answer = compute();
    if (held_.size() >= kMaxHeld) held_.clear();
    return held_.insert_or_assign(std::string(key), std::move(answer)).first->second;
  }

 private:
  std::unordered_map<std::string, T, TextHash, std::equal_to<>> held_;
};

// Each distinct text once; a view stays good as long as the pool, also when the pool is moved.
class TextPool {
 public:
  std::string_view keep(std::string_view text) {
    const auto found = texts_.find(text);
    return found != texts_.end() ? *found : *texts_.emplace(text).first;
  }

 private:
  std::unordered_set<std::string, TextHash, std::equal_to<>> texts_;
};

}  // namespace gpuharden
