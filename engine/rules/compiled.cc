// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/compiled.h"

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Json = nlohmann::json;
constexpr std::string_view kFormat = "gpuharden.compiled/3";

Json to_json(const ParamValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) return *list;
  return nullptr;
}

ParamValue param_from(const Json& json) {
  if (json.is_number()) return json.get<std::int64_t>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_array()) return json.get<std::vector<std::string>>();
  return std::monostate{};
}

Json to_json(const SourcePlace& place) { return {place.file, place.line, place.column}; }
SourcePlace place_from(const Json& json) { return {json.at(0), json.at(1), json.at(2)}; }

Json to_json(const Rule& rule) {
  Json params = Json::array();
  for (const auto& param : rule.params)
    params.push_back({param.name, to_json(param.value), param.doc, param.allow_empty, to_json(param.place)});
  Json queries = Json::array();
  for (const auto& query : rule.queries)
    queries.push_back({query.horizon, query.sql, to_json(query.place), query.reads});
  return {{"id", rule.id},
          {"title", rule.title},
          {"severity", rule.severity},
          {"maturity", rule.maturity},
          {"attack", rule.attack},
          {"atlas", rule.atlas},
          {"controls", rule.controls},
          {"tags", rule.tags},
          {"why", rule.why},
          {"params", params},
          {"queries", queries},
          {"message", rule.message},
          {"none", rule.none},
          {"empty", rule.empty},
          {"fails_by", rule.fails_by},
          {"key", rule.key},
          {"action", rule.fix.action},
          {"args", rule.fix.args},
          {"risk", rule.fix.risk},
          {"manual", rule.manual},
          {"references", rule.references},
          {"place", to_json(rule.place)}};
}

Rule rule_from(const Json& json) {
  Rule rule;
  json.at("id").get_to(rule.id);
  json.at("title").get_to(rule.title);
  json.at("severity").get_to(rule.severity);
  json.at("maturity").get_to(rule.maturity);
  json.at("attack").get_to(rule.attack);
  json.at("atlas").get_to(rule.atlas);
  json.at("controls").get_to(rule.controls);
  json.at("tags").get_to(rule.tags);
  json.at("why").get_to(rule.why);
  for (const auto& param : json.at("params")) {
    rule.params.push_back({param.at(0), param_from(param.at(1)), param.at(2), param.at(3), place_from(param.at(4))});
  }
  for (const auto& query : json.at("queries"))
    rule.queries.push_back({query.at(0), query.at(1), place_from(query.at(2)), query.at(3)});
  json.at("message").get_to(rule.message);
  json.at("none").get_to(rule.none);
  json.at("empty").get_to(rule.empty);
  json.at("fails_by").get_to(rule.fails_by);
  rule.fails_by_given = true;
  json.at("key").get_to(rule.key);
  json.at("action").get_to(rule.fix.action);
  json.at("args").get_to(rule.fix.args);
  json.at("risk").get_to(rule.fix.risk);
  json.at("manual").get_to(rule.manual);
  json.at("references").get_to(rule.references);
  rule.place = place_from(json.at("place"));
  return rule;
}

Json to_json(const std::map<std::string, ParamValue>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = to_json(value);
  return json;
}

std::map<std::string, ParamValue> params_from(const Json& json) {
  std::map<std::string, ParamValue> values;
  for (const auto& [name, value] : json.items()) values[name] = param_from(value);
  return values;
}

Json to_json(const Policy& policy) {
  Json params = Json::object();
  for (const auto& [rule, values] : policy.params) params[rule] = to_json(values);
  return {{"name", policy.name},
          {"title", policy.title},
          {"extends", policy.extends},
          {"select", policy.select},
          {"require", policy.require},
          {"params", params},
          {"severities", policy.severities},
          {"expect", to_json(policy.expect)},
          {"floors_max_age", policy.floors_max_age.value_or(0)},
          {"deep", policy.deep},
          {"accept", policy.accept},
          {"place", to_json(policy.place)}};
}

Policy policy_from(const Json& json) {
  Policy policy;
  json.at("name").get_to(policy.name);
  json.at("title").get_to(policy.title);
  json.at("extends").get_to(policy.extends);
  json.at("select").get_to(policy.select);
  json.at("require").get_to(policy.require);
  for (const auto& [rule, values] : json.at("params").items()) policy.params[rule] = params_from(values);
  json.at("severities").get_to(policy.severities);
  policy.expect = params_from(json.at("expect"));
  const std::int64_t days = json.at("floors_max_age");
  if (days != 0) policy.floors_max_age = days;
  json.at("deep").get_to(policy.deep);
  json.at("accept").get_to(policy.accept);
  policy.place = place_from(json.at("place"));
  return policy;
}

Json to_json(const FloorFile& file) {
  Json floors = Json::array();
  for (const auto& floor : file.floors) {
    floors.push_back({floor.branch, floor.distribution, floor.device, floor.status, floor.scheme, floor.fixed,
                      floor.affected_to, floor.eol, floor.advisory, floor.published, floor.cves, floor.open_cves,
                      floor.source});
  }
  return {{"component", file.component}, {"title", file.title}, {"scheme", file.scheme},
          {"as_of", file.as_of},         {"floors", floors},    {"place", to_json(file.place)}};
}

FloorFile floors_from(const Json& json) {
  FloorFile file;
  json.at("component").get_to(file.component);
  json.at("title").get_to(file.title);
  json.at("scheme").get_to(file.scheme);
  json.at("as_of").get_to(file.as_of);
  for (const auto& floor : json.at("floors")) {
    file.floors.push_back({floor.at(0), floor.at(1), floor.at(2), floor.at(3), floor.at(4), floor.at(5), floor.at(6),
                           floor.at(7), floor.at(8), floor.at(9), floor.at(10), floor.at(11), floor.at(12)});
  }
  file.place = place_from(json.at("place"));
  return file;
}

Json to_json(const TechniqueTable& table) {
  Json json = Json::object();
  for (const auto& [id, technique] : table) json[id] = {technique.name, technique.tactics};
  return json;
}

TechniqueTable techniques_from(const Json& json) {
  TechniqueTable table;
  for (const auto& [id, value] : json.items()) table[id] = {value.at(0), value.at(1), true, {}};
  return table;
}

CompiledRules compiled_from(const Json& json) {
  CompiledRules out;
  json.at("tool_version").get_to(out.tool_version);
  json.at("digest").get_to(out.digest);
  for (const auto& source : json.at("sources")) out.sources.push_back({source.at(0), source.at(1), source.at(2)});
  for (const auto& rule : json.at("rules")) out.rules.push_back(rule_from(rule));
  for (const auto& policy : json.at("policies")) out.policies.push_back(policy_from(policy));
  out.techniques.attack = techniques_from(json.at("attack"));
  out.techniques.atlas = techniques_from(json.at("atlas"));
  for (const auto& file : json.at("floors")) out.floors.push_back(floors_from(file));
  return out;
}

}  // namespace

std::string write_compiled(const CompiledRules& rules) {
  Json sources = Json::array();
  for (const auto& source : rules.sources) sources.push_back({source.path, source.size, source.mtime});
  Json all = Json::array();
  for (const auto& rule : rules.rules) all.push_back(to_json(rule));
  Json policies = Json::array();
  for (const auto& policy : rules.policies) policies.push_back(to_json(policy));
  Json floors = Json::array();
  for (const auto& file : rules.floors) floors.push_back(to_json(file));
  const Json json = {{"format", kFormat},
                     {"tool_version", rules.tool_version},
                     {"digest", rules.digest},
                     {"sources", sources},
                     {"rules", all},
                     {"policies", policies},
                     {"attack", to_json(rules.techniques.attack)},
                     {"atlas", to_json(rules.techniques.atlas)},
                     {"floors", floors}};
  std::string bytes;
  Json::to_msgpack(json, bytes);
  return bytes;
}

Result<CompiledRules> read_compiled(std::string_view bytes) {
  try {
    const Json json = Json::from_msgpack(bytes);
    if (json.at("format") == kFormat) return compiled_from(json);
    return Error{ErrorCode::kMalformed, "compiled rules: another format"};
  } catch (const Json::exception& exception) {
    return Error{ErrorCode::kMalformed, concat({"compiled rules: ", exception.what()})};
  }
}

}  // namespace gpuharden
