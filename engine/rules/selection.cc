// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/selection.h"

#include <algorithm>
#include <set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kExpectPrefix = "expect_";

bool has_tag(const Rule& rule, std::string_view tag) {
  return std::find(rule.tags.begin(), rule.tags.end(), tag) != rule.tags.end();
}

// "apt.*", "tag:nvidia", "severity:high", "maturity:stable"
bool matches(const Rule& rule, std::string_view pattern) {
  const auto colon = pattern.find(':');
  const auto kind = pattern.substr(0, colon == std::string_view::npos ? 0 : colon);
  const auto value = pattern.substr(colon == std::string_view::npos ? 0 : colon + 1);
  if (kind == "tag") return has_tag(rule, value);
  if (kind == "severity") return to_string(rule.severity) == value;
  if (kind == "maturity") return to_string(rule.maturity) == value;
  return glob_match(pattern, rule.id);
}

std::vector<std::string> ids(const Catalog& catalog) {
  std::vector<std::string> out;
  for (const auto& rule : catalog.rules) out.push_back(rule.id);
  return out;
}

const Policy* find_policy(const Catalog& catalog, std::string_view name) {
  for (const auto& policy : catalog.policies) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

// The policy after its ancestors, the oldest first. Faults: unknown names and cycles.
std::vector<const Policy*> lineage(const Catalog& catalog, std::string_view name, std::vector<std::string>& faults) {
  std::vector<const Policy*> chain;
  while (!name.empty()) {
    const Policy* policy = find_policy(catalog, name);
    std::vector<std::string> names;
    for (const auto& known : catalog.policies) names.push_back(known.name);
    if (policy == nullptr) {
      faults.push_back(concat(
          {"there is no profile \"", name, "\"", did_you_mean(name, names), "; there are: ", join(names, ", ")}));
      break;
    }
    if (std::find(chain.begin(), chain.end(), policy) != chain.end()) {
      faults.push_back(concat({"profile \"", name, "\" extends itself"}));
      break;
    }
    chain.insert(chain.begin(), policy);
    name = policy->extends;
  }
  return chain;
}

bool matches_some(const Catalog& catalog, std::string_view pattern) {
  return std::any_of(catalog.rules.begin(), catalog.rules.end(),
                     [&](const Rule& rule) { return matches(rule, pattern); });
}

void check_pattern(const Catalog& catalog, std::string_view pattern, std::string_view where,
                   std::vector<std::string>& faults) {
  if (!matches_some(catalog, pattern)) {
    faults.push_back(concat({where, ": \"", pattern, "\" matches no rule", did_you_mean(pattern, ids(catalog))}));
  }
}

bool set_param(Rule& rule, std::string_view name, const ParamValue& value) {
  for (auto& param : rule.params) {
    if (param.name != name) continue;
    param.value = value;
    return true;
  }
  return false;
}

std::vector<std::string> param_names(const Rule& rule) {
  std::vector<std::string> names;
  for (const auto& param : rule.params) names.push_back(param.name);
  return names;
}

// Parameters, severities and expectations of one policy, on every rule they name.
void apply_policy(const Policy& policy, std::vector<Rule>& rules, std::vector<std::string>& faults) {
  for (auto& rule : rules) {
    for (const auto& [pattern, severity] : policy.severities) {
      if (matches(rule, pattern)) rule.severity = severity;
    }
    for (const auto& [name, value] : policy.expect) set_param(rule, concat({kExpectPrefix, name}), value);
    for (const auto& [pattern, values] : policy.params) {
      if (!matches(rule, pattern)) continue;
      for (const auto& [name, value] : values) {
        if (!set_param(rule, name, value)) {
          faults.push_back(concat({"profile ", policy.name, ": ", rule.id, " has no parameter \"", name, "\"",
                                   did_you_mean(name, param_names(rule))}));
        }
      }
    }
  }
}

// Every pattern in turn: it adds what it matches, or drops it after "!".
std::set<std::string> selected_ids(const Catalog& catalog, const std::vector<const Policy*>& chain,
                                   std::vector<std::string>& faults) {
  std::set<std::string> selected;
  for (const auto* policy : chain) {
    for (const auto& pattern : policy->select) {
      const bool drops = pattern.starts_with('!');
      const auto glob = std::string_view(pattern).substr(drops ? 1 : 0);
      check_pattern(catalog, glob, "profile " + policy->name, faults);
      for (const auto& rule : catalog.rules) {
        if (!matches(rule, glob)) continue;
        if (drops) {
          selected.erase(rule.id);
        } else {
          selected.insert(rule.id);
        }
      }
    }
  }
  return selected;
}

// "apt.signed-by.vendors=nvidia,amd": the last dot before '=' ends the rule's id.
void apply_set(const std::string& text, std::vector<Rule>& rules, std::vector<std::string>& faults) {
  const auto equals = text.find('=');
  const auto dot = text.rfind('.', equals);
  if (equals == std::string::npos || dot == std::string::npos) {
    faults.push_back(concat({"--set ", text, ": write rule.parameter=value"}));
    return;
  }
  const std::string id = text.substr(0, dot);
  const std::string name = text.substr(dot + 1, equals - dot - 1);
  const std::string value = text.substr(equals + 1);
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.id == id; });
  if (rule == rules.end()) {
    faults.push_back(concat({"--set ", text, ": there is no rule \"", id, "\""}));
    return;
  }
  const auto param =
      std::find_if(rule->params.begin(), rule->params.end(), [&](const Param& p) { return p.name == name; });
  if (param == rule->params.end()) {
    faults.push_back(
        concat({"--set ", text, ": ", id, " has no parameter \"", name, "\"", did_you_mean(name, param_names(*rule))}));
    return;
  }
  if (std::holds_alternative<std::vector<std::string>>(param->value)) {
    std::vector<std::string> list;
    for (const auto part : split(value, ',')) {
      if (!trim(part).empty()) list.emplace_back(trim(part));
    }
    if (list.empty() && !param->allow_empty)
      faults.push_back(concat({"--set ", text, ": an empty list would pass everything"}));
    param->value = std::move(list);
  } else {
    const auto number = parse_unsigned(value);
    param->value = number ? ParamValue(static_cast<std::int64_t>(*number)) : ParamValue(value);
  }
}

bool any_matches(const std::vector<std::string>& patterns, const Rule& rule) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(rule, pattern); });
}

void check_options(const Catalog& catalog, const SelectionOptions& options, std::vector<std::string>& faults) {
  for (const auto& pattern : options.check) check_pattern(catalog, pattern, "--check", faults);
  for (const auto& pattern : options.skip) check_pattern(catalog, pattern, "--skip", faults);
  for (const auto& tag : options.tags) check_pattern(catalog, "tag:" + tag, "--tag", faults);
}

}  // namespace

Result<Selection> select_rules(const Catalog& catalog, const SelectionOptions& options) {
  return select_rules(Catalog(catalog), options);
}

Result<Selection> select_rules(Catalog&& catalog, const SelectionOptions& options) {
  std::vector<std::string> faults;
  const auto chain = lineage(catalog, options.profile, faults);
  const auto selected = selected_ids(catalog, chain, faults);
  check_options(catalog, options, faults);
  Selection out;
  std::vector<Rule> rules = std::move(catalog.rules);
  for (const auto* policy : chain) {
    apply_policy(*policy, rules, faults);
    out.deep = out.deep || policy->deep;
    out.accept.insert(out.accept.end(), policy->accept.begin(), policy->accept.end());
    out.floors_max_age = policy->floors_max_age.value_or(out.floors_max_age);
  }
  for (const auto& text : options.set) apply_set(text, rules, faults);
  if (!faults.empty()) return Error{ErrorCode::kMalformed, join(faults, "\n")};
  for (auto& rule : rules) {
    const bool wanted = options.check.empty() ? selected.contains(rule.id) : any_matches(options.check, rule);
    const bool tagged = options.tags.empty() || std::any_of(options.tags.begin(), options.tags.end(),
                                                            [&](const auto& tag) { return has_tag(rule, tag); });
    if (!wanted || !tagged || any_matches(options.skip, rule)) continue;
    for (const auto* policy : chain) {
      if (any_matches(policy->require, rule)) out.required.push_back(rule.id);
    }
    out.rules.push_back(std::move(rule));
  }
  return out;
}

void lint_policies(const Catalog& catalog, std::vector<Diagnostic>& diagnostics) {
  for (const auto& policy : catalog.policies) {
    SelectionOptions options;
    options.profile = policy.name;
    const auto selection = select_rules(catalog, options);
    if (selection) continue;
    for (const auto sentence : split(selection.error().message, '\n')) {
      diagnostics.push_back({"policy", std::string(sentence), policy.place, {}});
    }
  }
}

}  // namespace gpuharden
