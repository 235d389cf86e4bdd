// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/step_json.h"

#include <nettle/base64.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {
using Json = nlohmann::json;

// Thrown inside this file only: a member that is missing or of another kind.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// In the order of UnitStep::Verb.
constexpr std::string_view kVerbs[] = {"reload", "restart", "start"};

UnitStep::Verb verb_of(const std::string& word) {
  const auto* found = std::find(std::begin(kVerbs), std::end(kVerbs), word);
  if (found == std::end(kVerbs)) throw Malformed(concat({"no verb '", word, "'"}));
  return static_cast<UnitStep::Verb>(found - std::begin(kVerbs));
}

const Json& member(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  if (!json.is_object() || found == json.end()) throw Malformed(concat({"no member '", name, "'"}));
  return *found;
}

std::string encode_base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  ::nettle_base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  return text;
}

std::string decode_base64(const std::string& text) {
  base64_decode_ctx context;
  ::nettle_base64_decode_init(&context);
  std::string bytes(BASE64_DECODE_LENGTH(text.size()), '\0');
  std::size_t length = bytes.size();
  const bool good = ::nettle_base64_decode_update(&context, &length, reinterpret_cast<std::uint8_t*>(bytes.data()),
                                                  text.size(), text.data()) == 1 &&
                    ::nettle_base64_decode_final(&context) == 1;
  if (!good) throw Malformed("not base64");
  bytes.resize(length);
  return bytes;
}

std::string bytes_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return decode_base64(member(json, "base64").get<std::string>());
}

FileType type_of(const std::string& word) {
  for (const auto type : {FileType::kRegular, FileType::kDirectory, FileType::kSymlink, FileType::kCharacterDevice,
                          FileType::kBlockDevice, FileType::kFifo, FileType::kSocket}) {
    if (word == to_string(type)) return type;
  }
  throw Malformed(concat({"no file type '", word, "'"}));
}

Json time_to_json(const FileTime& time) { return {time.seconds, time.nanoseconds}; }

FileTime time_of(const Json& json) { return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>()}; }

Json state_to_json(const FileState& state) {
  if (!state.exists) return nullptr;
  Json json = {{"type", to_string(state.type)},
               {"mode", state.mode},
               {"uid", state.uid},
               {"gid", state.gid},
               {"modified", time_to_json(state.modified)},
               {"bytes", bytes_to_json(state.bytes)},
               {"xattrs", Json::object()}};
  for (const auto& [name, value] : state.xattrs) json["xattrs"][name] = {{"base64", encode_base64(value)}};
  return json;
}

FileState state_from_json(const Json& json) {
  FileState state;
  if (json.is_null()) return state;
  state.exists = true;
  state.type = type_of(member(json, "type").get<std::string>());
  state.mode = member(json, "mode").get<std::uint32_t>();
  state.uid = member(json, "uid").get<std::uint32_t>();
  state.gid = member(json, "gid").get<std::uint32_t>();
  state.modified = time_of(member(json, "modified"));
  state.bytes = bytes_of(member(json, "bytes"));
  for (const auto& [name, value] : member(json, "xattrs").items()) state.xattrs[name] = bytes_of(value);
  return state;
}

Json body_to_json(const FileStep& step) {
  return {{"kind", "file"},
          {"path", bytes_to_json(step.path)},
          {"before", state_to_json(step.before)},
          {"after", state_to_json(step.after)},
          {"shared", step.is_shared}};
}
Json body_to_json(const GroupStep& step) {
  Json json = {{"kind", "group"}, {"group", step.group}, {"user", step.user}, {"places", Json::array()}};
  for (const auto& place : step.places) {
    json["places"].push_back({{"file", place.file},
                              {"index", place.index},
                              {"digest", place.digest},
                              {"modified", time_to_json(place.modified)}});
  }
  return json;
}
Json body_to_json(const SysctlStep& step) {
  return {{"kind", "sysctl"}, {"name", step.name}, {"before", step.before}, {"after", step.after}};
}
Json body_to_json(const AuditStep& step) {
  return {{"kind", "audit"}, {"rules", step.rules}, {"missing", step.missing}};
}
Json body_to_json(const TableStep& step) { return {{"kind", "table"}, {"before", step.before}, {"after", step.after}}; }
Json body_to_json(const UnitStep& step) {
  return {{"kind", "unit"}, {"verb", kVerbs[static_cast<std::size_t>(step.verb)]}, {"unit", step.unit}};
}

StepBody body_from_json(const Json& json) {
  const auto text = [&](const char* name) { return member(json, name).get<std::string>(); };
  const std::string kind = text("kind");
  if (kind == "file") {
    return FileStep{bytes_of(member(json, "path")), state_from_json(member(json, "before")),
                    state_from_json(member(json, "after")), member(json, "shared").get<bool>()};
  }
  if (kind == "group") {
    GroupStep step{text("group"), text("user"), {}};
    for (const auto& place : member(json, "places"))
      step.places.push_back({member(place, "file").get<std::string>(), member(place, "index").get<std::size_t>(),
                             member(place, "digest").get<std::string>(), time_of(member(place, "modified"))});
    return step;
  }
  if (kind == "sysctl") return SysctlStep{text("name"), text("before"), text("after")};
  if (kind == "audit")
    return AuditStep{member(json, "rules").get<std::vector<std::string>>(),
                     member(json, "missing").get<std::vector<std::string>>()};
  if (kind == "table") return TableStep{text("before"), text("after")};
  if (kind == "unit") return UnitStep{verb_of(text("verb")), text("unit")};
  throw Malformed(concat({"no kind of step '", kind, "'"}));
}

}  // namespace

Json bytes_to_json(std::string_view bytes) {
  if (replace_invalid_utf8(bytes) == bytes) return std::string(bytes);
  return {{"base64", encode_base64(bytes)}};
}

Json to_json(const Step& step) {
  Json json = std::visit([](const auto& body) { return body_to_json(body); }, step.body);
  json["rules"] = step.rules;
  return json;
}

Result<Step> step_from_json(const Json& json) {
  try {
    return Step{member(json, "rules").get<std::vector<std::string>>(), body_from_json(json)};
  } catch (const Malformed& error) {
    return Error{ErrorCode::kMalformed, error.what()};
  } catch (const Json::exception& error) {
    return Error{ErrorCode::kMalformed, error.what()};
  }
}

}  // namespace gpuharden
