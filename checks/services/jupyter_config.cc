// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/jupyter_config.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "checks/services/python_lines.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  return text.substr(at, end - at);
}

// Names that reach the configuration by other ways than "c.A.b = …".
bool reaches_everything(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kNames = {
      "load_subconfig", "get_config", "exec", "eval", "globals", "locals", "setattr", "vars", "__import__"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

struct Mentions {
  std::vector<std::string> traits;
  bool is_everything = false;
};

// "A.b" of "c.A.b" that begins behind the c at `at`; nothing when it is another use of c.
std::optional<std::string> trait_at(std::string_view code, std::size_t at) {
  if (at >= code.size() || code[at] != '.') return std::nullopt;
  const auto group = name_at(code, at + 1);
  const auto dot = at + 1 + group.size();
  if (group.empty() || dot >= code.size() || code[dot] != '.') return std::nullopt;
  const auto trait = name_at(code, dot + 1);
  const auto next = code.find_first_not_of(" \t", dot + 1 + trait.size());
  const char following = next == std::string_view::npos ? ' ' : code[next];
  if (trait.empty() || following == '(' || following == '.' || following == '[') return std::nullopt;
  return concat({group, ".", trait});
}

Mentions mentions_of(std::string_view code) {
  Mentions out;
  std::size_t at = 0;
  while (at < code.size()) {
    if (!is_name_byte(code[at])) {
      ++at;
      continue;
    }
    const auto name = name_at(code, at);
    const bool is_attribute = at > 0 && code[at - 1] == '.';
    at += name.size();
    if (reaches_everything(name)) out.is_everything = true;
    if (name != "c" || is_attribute) continue;
    if (const auto trait = trait_at(code, at)) {
      out.traits.push_back(*trait);
    } else {
      out.is_everything = true;
    }
  }
  return out;
}

bool gets_config(std::string_view code) {
  std::string bare;
  std::copy_if(code.begin(), code.end(), std::back_inserter(bare), [](char c) { return c != ' ' && c != '\t'; });
  return bare == "c=get_config()" || bare == "c=get_config()\r";
}

// "c.A.b = literal" and nothing else.
std::optional<std::string> assigned_literal(const PythonLine& line, std::string_view trait) {
  const auto text = trim(line.text);
  if (line.is_indented || !text.starts_with(concat({"c.", trait}))) return std::nullopt;
  const auto rest = trim(text.substr(trait.size() + 2));
  if (!rest.starts_with('=') || rest.starts_with("==")) return std::nullopt;
  return python_literal(rest.substr(1));
}

void add_line(const PythonLine& line, JupyterConfig& out) {
  if (gets_config(line.code)) return;
  const auto mentions = mentions_of(line.code);
  if (mentions.is_everything) out.is_opaque = true;
  for (const auto& trait : mentions.traits) {
    const auto value = mentions.traits.size() == 1 ? assigned_literal(line, trait) : std::nullopt;
    out.traits[trait] = {value.value_or(""), !value, line.line};
  }
}

JupyterTrait trait_of(const nlohmann::json& value) {
  if (value.is_string()) return {value.get<std::string>(), false, 0};
  if (value.is_boolean()) return {value.get<bool>() ? "True" : "False", false, 0};
  if (value.is_number_integer()) return {value.dump(), false, 0};
  if (value.is_null()) return {"None", false, 0};
  return {"", true, 0};
}

}  // namespace

JupyterConfig parse_jupyter_python(std::string_view text) {
  JupyterConfig out;
  const auto python = split_python_lines(text);
  out.is_opaque = python.is_broken;
  for (const auto& line : python.lines) add_line(line, out);
  return out;
}

Result<JupyterConfig> parse_jupyter_json(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return Error{ErrorCode::kMalformed, "no JSON object"};
  JupyterConfig out;
  for (const auto& [group, traits] : json.items()) {
    if (!traits.is_object()) continue;
    for (const auto& [name, value] : traits.items()) out.traits[concat({group, ".", name})] = trait_of(value);
  }
  return out;
}

}  // namespace gpuharden
