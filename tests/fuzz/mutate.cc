// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>

namespace gpuharden::test {
namespace {

constexpr std::size_t kLongest = 65536;

// Bytes and words on which parsers of text and of binary records turn.
constexpr std::array<std::string_view, 30> kTokens = {"\n",
                                                      "\r\n",
                                                      "\t",
                                                      " ",
                                                      ":",
                                                      "=",
                                                      "#",
                                                      "\"",
                                                      "'",
                                                      "\\",
                                                      "[",
                                                      "]",
                                                      "{",
                                                      "}",
                                                      ",",
                                                      "-",
                                                      "/",
                                                      "..",
                                                      "*",
                                                      "?",
                                                      "%",
                                                      "$",
                                                      "0",
                                                      "-1",
                                                      "18446744073709551616",
                                                      "0x7fffffff",
                                                      "\xff\xff\xff\xff",
                                                      "\xe2\x80\xae",
                                                      "\x80",
                                                      "null"};

std::string_view any_token(Random& random) {
  // A view of one NUL byte cannot stand in the table.
  static constexpr std::string_view kZero("\0", 1);
  const auto index = random.below(kTokens.size() + 1);
  return index == kTokens.size() ? kZero : kTokens.at(index);
}

void flip_bit(std::string& text, Random& random) {
  if (text.empty()) return;
  char& byte = text[random.below(text.size())];
  byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << random.below(8)));
}

void replace_byte(std::string& text, Random& random) {
  if (!text.empty()) text[random.below(text.size())] = static_cast<char>(random.below(256));
}

void insert_token(std::string& text, Random& random) { text.insert(random.below(text.size() + 1), any_token(random)); }

void remove_range(std::string& text, Random& random) {
  const auto start = random.below(text.size());
  text.erase(start, 1 + random.below(std::min<std::size_t>(text.size(), 32)));
}

void repeat_range(std::string& text, Random& random) {
  const auto start = random.below(text.size());
  const std::string piece = text.substr(start, 1 + random.below(64));
  const auto times = 1 + random.below(random.below(8) == 0 ? 500 : 3);
  std::string run;
  for (std::size_t i = 0; i < times && run.size() < kLongest; ++i) run += piece;
  text.insert(start, run);
}

void cut(std::string& text, Random& random) { text.resize(random.below(text.size() + 1)); }

void splice(std::string& text, const std::vector<std::string>& others, Random& random) {
  if (others.empty()) return;
  const std::string& other = others[random.below(others.size())];
  text.resize(random.below(text.size() + 1));
  text += std::string_view(other).substr(random.below(other.size() + 1));
}

void change_once(std::string& text, const std::vector<std::string>& others, Random& random) {
  switch (random.below(8)) {
    case 0: return flip_bit(text, random);
    case 1: return replace_byte(text, random);
    case 2:
    case 3: return insert_token(text, random);
    case 4: return remove_range(text, random);
    case 5: return repeat_range(text, random);
    case 6: return cut(text, random);
    default: return splice(text, others, random);
  }
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::size_t Random::below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }

std::string mutate(std::string_view input, const std::vector<std::string>& others, Random& random) {
  std::string text(input);
  const auto changes = 1 + random.below(4);
  for (std::size_t i = 0; i < changes; ++i) change_once(text, others, random);
  if (text.size() > kLongest) text.resize(kLongest);
  return text;
}

}  // namespace gpuharden::test
