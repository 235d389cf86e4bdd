// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of JSON that others wrote: a field of another type counts as one that is not there.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

using Json = nlohmann::json;

// Nothing when the bytes are no JSON or nest deeper than 64.
std::optional<Json> parse_json(std::string_view text);

// A null value when `object` is no object or has no such field.
const Json& json_field(const Json& object, const char* name);
// "" when there is none.
std::string json_text(const Json& object, const char* name);
bool json_boolean(const Json& object, const char* name);
std::int64_t json_integer(const Json& object, const char* name);
// The texts of a list; elements of another type are passed over.
std::vector<std::string> json_texts(const Json& list);

}  // namespace gpuharden
