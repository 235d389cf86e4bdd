// SPDX-License-Identifier: GPL-2.0-or-later
// Takes host.yaml of a capture apart and collects every fault with its place.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text.h"
#include "engine/native/yaml.h"

namespace gpuharden {

class CaptureReader {
 public:
  explicit CaptureReader(std::string_view file) : file_(file) {}

  void fail(const YamlNode& node, std::string_view sentence) {
    faults_.push_back(
        concat({file_, ":", std::to_string(node.place.line), ":", std::to_string(node.place.column), ": ", sentence}));
  }

  // Calls the handler of each key of a map; keys without one are faults.
  using Handlers = std::map<std::string, std::function<void(const YamlNode&)>, std::less<>>;
  void each(const YamlNode& map, const Handlers& handlers) {
    if (!map.is_map()) return fail(map, "a map is expected");
    for (const auto& [key, value] : map.entries) {
      const auto handler = handlers.find(key.scalar);
      if (handler == handlers.end()) {
        fail(key, concat({"unknown key \"", key.scalar, "\""}));
      } else {
        handler->second(value);
      }
    }
  }

  template <typename Number>
  void number(const YamlNode& node, Number& out, int base = 10) {
    const auto value = node.is_scalar() ? parse_unsigned(node.scalar, base) : std::nullopt;
    if (!value || !std::in_range<Number>(*value)) return fail(node, "a number is expected");
    out = static_cast<Number>(*value);
  }
  template <typename Number>
  void number(const YamlNode& node, std::optional<Number>& out, int base = 10) {
    out.emplace();
    number(node, *out, base);
  }
  void mode(const YamlNode& node, std::optional<std::uint32_t>& out) {
    if (!node.quoted) return fail(node, "a mode is a quoted octal string: \"0660\"");
    number(node, out, 8);
  }
  void text(const YamlNode& node, std::string& out) {
    if (!node.is_scalar()) return fail(node, "a text is expected");
    out = node.scalar;
  }
  void boolean(const YamlNode& node, bool& out) {
    if (node.scalar != "true" && node.scalar != "false") return fail(node, "true or false is expected");
    out = node.scalar == "true";
  }

  const std::vector<std::string>& faults() const { return faults_; }
  std::vector<std::string>& faults() { return faults_; }

 private:
  std::string file_;
  std::vector<std::string> faults_;
};

}  // namespace gpuharden
