// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/scan/message.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kListMark = "[]";

// "a, b" of ["a","b"].
std::string list_text(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array()) return text;
  std::vector<std::string> items;
  for (const auto& item : json) {
    items.push_back(item.is_string() ? item.get<std::string>()
                                     : item.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return join(items, ", ");
}

std::string_view without_list_mark(std::string_view name) {
  if (name.ends_with(kListMark)) name.remove_suffix(kListMark.size());
  return name;
}

}  // namespace

std::string text_of(const Evidence& evidence) {
  if (evidence.kind == ValueKind::kInteger) return std::to_string(evidence.integer);
  return evidence.kind == ValueKind::kText ? evidence.text : "unknown";
}

std::string fill_message(std::string_view text, const std::vector<Evidence>& cells) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    const auto name = text.substr(open + 1, close - open - 1);
    const auto cell =
        std::find_if(cells.begin(), cells.end(), [&](const Evidence& e) { return e.name == without_list_mark(name); });
    if (cell == cells.end()) {
      out += concat({"{", name, "}"});
    } else {
      out += name.ends_with(kListMark) ? list_text(text_of(*cell)) : text_of(*cell);
    }
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

std::vector<std::string> placeholders(std::string_view text) {
  std::vector<std::string> names;
  for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const auto close = text.find('}', open);
    if (close == std::string_view::npos) break;
    names.emplace_back(without_list_mark(text.substr(open + 1, close - open - 1)));
  }
  return names;
}

}  // namespace gpuharden
