// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/policy_loader.h"

#include <functional>

#include "engine/base/text.h"
#include "engine/rules/rule_loader.h"

namespace gpuharden {
namespace {

class PolicyReader {
 public:
  PolicyReader(Policy& policy, FileDiagnostics& out) : policy_(policy), values_(out) {}

  void read(const YamlNode& root) {
    if (!root.is_map()) return values_.fail("wrong-type", root, "a policy is a map: title, select, …");
    const std::map<std::string, std::function<void(const YamlNode&)>, std::less<>> handlers = {
        {"title", [&](const YamlNode& n) { policy_.title = values_.text(n); }},
        {"extends", [&](const YamlNode& n) { policy_.extends = values_.text(n); }},
        {"select", [&](const YamlNode& n) { policy_.select = values_.list(n); }},
        {"require", [&](const YamlNode& n) { policy_.require = values_.list(n); }},
        {"params", [&](const YamlNode& n) { read_params(n); }},
        {"severity", [&](const YamlNode& n) { read_severities(n); }},
        {"expect", [&](const YamlNode& n) { read_expect(n); }},
        {"floors_max_age", [&](const YamlNode& n) { read_floors_max_age(n); }},
        {"accept", [&](const YamlNode& n) { read_accept(n); }},
        {"deep", [&](const YamlNode& n) { policy_.deep = values_.boolean(n); }},
    };
    std::vector<std::string> known;
    for (const auto& [name, handler] : handlers) known.push_back(name);
    for (const auto& [key, value] : root.entries) {
      const auto handler = handlers.find(key.scalar);
      if (handler == handlers.end()) {
        values_.unknown_key(key, known);
      } else {
        handler->second(value);
      }
    }
    if (policy_.title.empty()) values_.fail("missing-key", root, "the key \"title\" is missing");
  }

 private:
  void read_params(const YamlNode& node) {
    if (!node.is_map()) return values_.fail("wrong-type", node, "a map of rule ids to parameters is expected");
    for (const auto& [rule, params] : node.entries) {
      if (!params.is_map()) values_.fail("wrong-type", params, "a map of parameters is expected");
      for (const auto& [name, value] : params.entries) policy_.params[rule.scalar][name.scalar] = values_.param(value);
    }
  }
  void read_severities(const YamlNode& node) {
    if (!node.is_map()) return values_.fail("wrong-type", node, "a map of rule ids to severities is expected");
    for (const auto& [rule, value] : node.entries) {
      const auto index = values_.word(value, {"info", "low", "medium", "high", "critical"});
      policy_.severities[rule.scalar] = static_cast<Severity>(index);
    }
  }
  void read_expect(const YamlNode& node) {
    if (!node.is_map())
      return values_.fail("wrong-type", node, "a map of expectations is expected: {gpus: 8, vendor: nvidia}");
    for (const auto& [name, value] : node.entries) policy_.expect[name.scalar] = values_.param(value);
  }

  // What may lock people out or take GPUs away is accepted by a person, for one run.
  void read_accept(const YamlNode& node) {
    policy_.accept = values_.list(node);
    for (const auto& risk : policy_.accept) {
      if (risk != "restart" && risk != "reboot")
        values_.fail("wrong-type", node, "a policy can accept the risks restart and reboot");
    }
  }

  void read_floors_max_age(const YamlNode& node) {
    const auto days = parse_unsigned(values_.text(node));
    constexpr std::uint64_t kLongest = 3650;
    if (!days || *days == 0 || *days > kLongest)
      return values_.fail("wrong-type", node, "a number of days is expected: 180");
    policy_.floors_max_age = static_cast<std::int64_t>(*days);
  }

  Policy& policy_;
  ValueReader values_;
};

}  // namespace

Policy load_policy(const std::string& name, const std::string& file, std::string_view text,
                   std::vector<Diagnostic>& diagnostics) {
  Policy policy;
  policy.name = name;
  policy.place.file = file;
  FileDiagnostics out(file, text, diagnostics);
  if (const auto root = parse_document(text, out)) PolicyReader(policy, out).read(*root);
  return policy;
}

}  // namespace gpuharden
