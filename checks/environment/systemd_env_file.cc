// SPDX-License-Identifier: GPL-2.0-or-later
// EnvironmentFile= and environment.d, in the states of systemd's own reader.
#include <algorithm>
#include <optional>

#include "checks/environment/env_file.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\n\r";

class EnvFileReader {
 public:
  explicit EnvFileReader(std::string_view text) : text_(text) {}

  EnvText read() {
    for (const char c : text_) {
      step(c == '\r' ? '\n' : c);
      if (c == '\n') ++line_;
    }
    if (state_ != State::kBeforeKey && state_ != State::kComment && state_ != State::kKey) finish_value();
    if (state_ == State::kKey && !trim(key_).empty()) out_.bad_lines.push_back(begin_);
    return std::move(out_);
  }

 private:
  enum class State { kBeforeKey, kKey, kBeforeValue, kValue, kValueEscape, kSingle, kDouble, kDoubleEscape, kComment };

  static bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

  void step(char c) {
    switch (state_) {
      case State::kBeforeKey: return before_key(c);
      case State::kKey: return in_key(c);
      case State::kBeforeValue: return before_value(c);
      case State::kValue: return in_value(c);
      case State::kValueEscape: return after_escape(c);
      case State::kSingle: return c == '\'' ? go(State::kBeforeValue) : append(c);
      case State::kDouble: return c == '"' ? go(State::kBeforeValue) : c == '\\' ? go(State::kDoubleEscape) : append(c);
      case State::kDoubleEscape: return after_double_escape(c);
      case State::kComment: return c == '\n' ? go(State::kBeforeKey) : void();
    }
  }

  void go(State state) { state_ = state; }

  void append(char c) {
    value_ += c;
    kept_ = value_.size();
  }

  void before_key(char c) {
    if (c == '#' || c == ';') return go(State::kComment);
    if (is_blank(c)) return;
    key_.assign(1, c);
    value_.clear();
    kept_ = 0;
    begin_ = line_;
    go(State::kKey);
  }

  void in_key(char c) {
    if (c == '=') return go(State::kBeforeValue);
    if (c != '\n') {
      key_ += c;
      return;
    }
    out_.bad_lines.push_back(begin_);
    go(State::kBeforeKey);
  }

  void before_value(char c) {
    if (c == '\n') return finish_value();
    if (c == '\'') return go(State::kSingle);
    if (c == '"') return go(State::kDouble);
    if (c == '\\') return go(State::kValueEscape);
    if (is_blank(c)) return;
    append(c);
    go(State::kValue);
  }

  // Blanks at the end of an unquoted value go, those inside stay.
  void in_value(char c) {
    if (c == '\n') return finish_value();
    if (c == '\\') return go(State::kValueEscape);
    value_ += c;
    if (!is_blank(c)) kept_ = value_.size();
  }

  void after_escape(char c) {
    if (c != '\n') append(c);
    go(State::kValue);
  }

  void after_double_escape(char c) {
    const bool is_special = std::string_view("\"\\`$").find(c) != std::string_view::npos;
    if (!is_special && c != '\n') append('\\');
    if (c != '\n') append(c);
    go(State::kDouble);
  }

  void finish_value() {
    const auto name = trim(key_);
    value_.resize(kept_);
    if (is_variable_name(name))
      out_.lines.push_back({std::string(name), value_, begin_});
    else
      out_.bad_lines.push_back(begin_);
    go(State::kBeforeKey);
  }

  std::string_view text_;
  State state_ = State::kBeforeKey;
  std::string key_, value_;
  std::size_t kept_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t begin_ = 1;
  EnvText out_;
};

bool is_name_part(char c, bool may_be_digit) {
  return is_variable_name(std::string_view(&c, 1)) || (may_be_digit && c >= '0' && c <= '9');
}

// The end of a ${…} that begins at `at`, or npos.
std::size_t end_of_braces(std::string_view value, std::size_t at) { return value.find('}', at); }

const std::string* last_value(const std::vector<EnvLine>& known, std::string_view name) {
  const auto found = std::find_if(known.rbegin(), known.rend(), [&](const EnvLine& line) { return line.name == name; });
  return found == known.rend() ? nullptr : &found->value;
}

// "X", "X:-word" or "X:+word"; nothing when it is none of these or X is not known.
std::optional<std::string> expand_reference(std::string_view reference, const std::vector<EnvLine>& known) {
  const auto colon = reference.find(':');
  const auto name = reference.substr(0, colon);
  const auto* value = is_variable_name(name) ? last_value(known, name) : nullptr;
  if (value == nullptr) return std::nullopt;
  if (colon == std::string_view::npos) return *value;
  const auto word = reference.substr(colon + 1);
  if (word.starts_with("-")) return value->empty() ? std::string(word.substr(1)) : *value;
  if (word.starts_with("+")) return value->empty() ? std::string() : std::string(word.substr(1));
  return std::nullopt;
}

}  // namespace

EnvText parse_systemd_env_file(std::string_view text) { return EnvFileReader(text).read(); }

std::string expand_environment_d(std::string_view value, const std::vector<EnvLine>& known) {
  std::string out;
  std::size_t at = 0;
  while (at < value.size() && out.size() < (std::size_t{1} << 16U)) {
    const bool braces = value.substr(at).starts_with("${");
    auto end = at + 1;
    if (value[at] == '$' && braces) end = end_of_braces(value, at);
    if (value[at] == '$' && !braces) {
      while (end < value.size() && is_name_part(value[end], end > at + 1)) ++end;
    }
    if (value[at] != '$' || end == std::string_view::npos || end == at + 1) {
      out += value[at++];
      continue;
    }
    const auto reference = braces ? value.substr(at + 2, end - at - 2) : value.substr(at + 1, end - at - 1);
    end += braces ? 1 : 0;
    out += expand_reference(reference, known).value_or(std::string(value.substr(at, end - at)));
    at = end;
  }
  return out;
}

}  // namespace gpuharden
