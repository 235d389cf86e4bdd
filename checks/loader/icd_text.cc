// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/loader/icd_text.h"

#include "checks/system/json_fields.h"
#include "engine/base/text.h"

namespace gpuharden {

std::string parse_opencl_icd(std::string_view text) { return std::string(trim(text.substr(0, text.find('\n')))); }

std::optional<std::vector<std::string>> parse_icd_json(std::string_view text) {
  const auto document = parse_json(text);
  if (!document || !document->is_object()) return std::nullopt;
  std::vector<std::string> libraries;
  const auto take = [&](const Json& part) {
    if (auto library = json_text(part, "library_path"); !library.empty()) libraries.push_back(std::move(library));
  };
  take(json_field(*document, "ICD"));
  take(json_field(*document, "layer"));
  const auto& layers = json_field(*document, "layers");
  if (layers.is_array()) {
    for (const auto& layer : layers) take(layer);
  }
  return libraries;
}

}  // namespace gpuharden
