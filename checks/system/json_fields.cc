// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/system/json_fields.h"

namespace gpuharden {
namespace {

constexpr int kDeepest = 64;

}  // namespace

std::optional<Json> parse_json(std::string_view text) {
  bool too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  auto document = Json::parse(text, watch, false);
  if (document.is_discarded() || too_deep) return std::nullopt;
  return document;
}

const Json& json_field(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

std::string json_text(const Json& object, const char* name) {
  const auto& field = json_field(object, name);
  return field.is_string() ? field.get<std::string>() : std::string();
}

bool json_boolean(const Json& object, const char* name) {
  const auto& field = json_field(object, name);
  return field.is_boolean() && field.get<bool>();
}

std::int64_t json_integer(const Json& object, const char* name) {
  const auto& field = json_field(object, name);
  return field.is_number_integer() ? field.get<std::int64_t>() : 0;
}

std::vector<std::string> json_texts(const Json& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return texts;
  for (const auto& element : list) {
    if (element.is_string()) texts.push_back(element.get<std::string>());
  }
  return texts;
}

}  // namespace gpuharden
