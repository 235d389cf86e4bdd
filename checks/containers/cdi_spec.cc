// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/cdi_spec.h"

#include "checks/system/json_fields.h"
#include "engine/base/text.h"
#include "engine/native/yaml.h"

namespace gpuharden {
namespace {

// Both formats become JSON. parse_yaml bounds the depth.
Json to_json(const YamlNode& node) {
  if (node.is_map()) {
    auto object = Json::object();
    for (const auto& entry : node.entries) object[entry.first.scalar] = to_json(entry.second);
    return object;
  }
  if (node.is_sequence()) {
    auto list = Json::array();
    for (const auto& item : node.items) list.push_back(to_json(item));
    return list;
  }
  if (!node.is_scalar()) return nullptr;
  const auto number = node.quoted ? std::nullopt : parse_unsigned(node.scalar);
  return number ? Json(*number) : Json(node.scalar);
}

std::optional<Json> parse(std::string_view text, CdiFormat format) {
  if (format == CdiFormat::kJson) return parse_json(text);
  std::vector<YamlError> errors;
  const auto node = parse_yaml(text, errors);
  if (!errors.empty()) return std::nullopt;
  return to_json(node);
}

CdiEdit device_node(const Json& node) {
  const auto host = json_text(node, "hostPath");
  CdiEdit edit{{}, "device", host.empty() ? json_text(node, "path") : host, std::nullopt, std::nullopt};
  const auto major = json_integer(node, "major");
  if (major == 0) return edit;
  edit.major = major;
  edit.minor = json_integer(node, "minor");
  return edit;
}

void add_edits(CdiSpec& spec, const std::string& device, const Json& edits) {
  const auto add = [&](CdiEdit edit) {
    edit.device = device;
    if (!edit.path.empty()) spec.edits.push_back(std::move(edit));
  };
  for (const auto& node : json_field(edits, "deviceNodes")) add(device_node(node));
  for (const auto& mount : json_field(edits, "mounts"))
    add({{}, "mount", json_text(mount, "hostPath"), std::nullopt, std::nullopt});
  for (const auto& hook : json_field(edits, "hooks"))
    add({{}, "hook", json_text(hook, "path"), std::nullopt, std::nullopt});
}

}  // namespace

std::optional<CdiSpec> parse_cdi_spec(std::string_view text, CdiFormat format) {
  const auto document = parse(text, format);
  if (!document || !document->is_object()) return std::nullopt;
  CdiSpec spec;
  spec.kind = json_text(*document, "kind");
  const auto& devices = json_field(*document, "devices");
  if (spec.kind.empty() || !devices.is_array()) return std::nullopt;
  add_edits(spec, {}, json_field(*document, "containerEdits"));
  for (const auto& device : devices) {
    const auto& name = json_field(device, "name");
    const auto text_name = name.is_string() ? name.get<std::string>() : name.is_number() ? name.dump() : std::string();
    if (text_name.empty()) return std::nullopt;
    spec.devices.push_back(text_name);
    add_edits(spec, text_name, json_field(device, "containerEdits"));
  }
  return spec;
}

std::optional<std::string> library_version(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  const auto start = name.find(".so.");
  if (start == std::string_view::npos) return std::nullopt;
  const auto version = name.substr(start + 4);
  const bool is_full = version.find('.') != std::string_view::npos && version.front() != '.' && version.back() != '.' &&
                       version.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_full ? std::optional<std::string>(version) : std::nullopt;
}

}  // namespace gpuharden
