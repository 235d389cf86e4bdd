// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/setting_finder.h"

#include <algorithm>

#include "checks/process/ai_services.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string_view without_brackets(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text.front() == '[' && text.back() == ']') return text.substr(1, text.size() - 2);
  return text;
}

bool has_star(std::string_view value) {
  const auto parts = split(value, ',');
  return std::any_of(parts.begin(), parts.end(), [](std::string_view part) {
    const auto word = trim(part);
    return word == "*" || word == "http://*" || word == "https://*";
  });
}

bool holds(const SwitchRule& rule, std::string_view value) {
  switch (rule.when) {
    case SwitchRule::When::kYes: return is_yes(value);
    case SwitchRule::When::kAny: return true;
    case SwitchRule::When::kEqual: return equals_ignore_case(trim(value), rule.value);
    case SwitchRule::When::kStar: return has_star(value);
  }
  return false;
}

Found at_option(std::string_view name) { return {SettingSource::kOption, std::string(name), {}, 0, {}}; }

}  // namespace

SettingFinder::SettingFinder(const ServiceCall& call, const ServiceGrammar& grammar)
    : call_(call), grammar_(grammar), arguments_(program_arguments(call.arguments)) {}

ServiceSettings SettingFinder::find(const std::string& home) const {
  ServiceSettings out;
  find_address(out);
  find_port(out);
  find_auth(out);
  if (!grammar_.tls_options.empty()) out.tls = option(grammar_.tls_options).has_value();
  find_switches(out);
  find_store(out, home);
  return out;
}

std::optional<OptionValue> SettingFinder::option(NameList names, bool value_is_optional, bool abbreviated) const {
  return find_option(arguments_, {names, value_is_optional, abbreviated});
}

std::optional<std::string> SettingFinder::variable(std::string_view name, Found& found) const {
  if (call_.environment == nullptr) return std::nullopt;
  if (const auto* variable = call_.environment->find(name)) {
    if (variable->value.empty()) return std::nullopt;
    found = {SettingSource::kEnvironment, std::string(name), variable->file, variable->line, {}};
    return variable->value;
  }
  if (auto doubt = call_.environment->doubt(name)) found.error = std::move(doubt);
  return std::nullopt;
}

std::optional<std::string> SettingFinder::first_variable(NameList names, Found& found) const {
  for (const auto name : names) {
    if (auto value = variable(name, found)) return value;
  }
  return std::nullopt;
}

std::optional<Error> SettingFinder::config_doubt(std::string_view what) const {
  if (grammar_.config_options.empty()) return std::nullopt;
  const auto config = option(grammar_.config_options);
  if (!config) return std::nullopt;
  return Error{ErrorCode::kUnsupported, concat({what, " may be set in ", config->value, ", which is not read"})};
}

std::optional<std::string> SettingFinder::host(Found& found) const {
  if (const auto value = option(grammar_.host_options, grammar_.host_value_is_optional, grammar_.abbreviates)) {
    found = at_option(value->name);
    return std::string(value->has_value ? value->value : "");
  }
  if (auto value = first_variable(grammar_.host_variables, found)) return value;
  if (!found.error) found.error = config_doubt("the address");
  if (!found.error && grammar_.host_is_code)
    found.error = Error{ErrorCode::kUnsupported, "the program itself decides where it listens"};
  return std::nullopt;
}

void SettingFinder::find_address(ServiceSettings& out) const {
  if (!grammar_.socket_option.empty() && option({&grammar_.socket_option, 1})) {
    out.address_found = at_option(grammar_.socket_option);
    return;
  }
  if (!grammar_.all_flag.empty() && has_flag(arguments_, grammar_.all_flag)) {
    out.address_found = at_option(grammar_.all_flag);
    set_address(out, "");
    return;
  }
  const auto value = host(out.address_found);
  set_address(out, value ? std::string_view(*value) : grammar_.host_default);
}

void SettingFinder::find_port(ServiceSettings& out) const {
  if (!out.address) return;
  Found ignored;
  std::optional<std::string> text;
  if (const auto value = option(grammar_.port_options)) {
    text = std::string(value->value);
  } else {
    text = first_variable(grammar_.port_variables, ignored);
  }
  out.port = grammar_.port_default;
  if (!text) return;
  const auto number = parse_unsigned(trim(*text));
  out.port = number && *number <= 65535 ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

void SettingFinder::find_auth(ServiceSettings& out) const {
  out.auth = grammar_.auth_default;
  const auto given = option(grammar_.auth_options);
  if (given && given->has_value && !trim(given->value).empty()) {
    out.auth = AuthState::kSet;
    out.auth_found = at_option(given->name);
  } else if (first_variable(grammar_.auth_variables, out.auth_found)) {
    out.auth = AuthState::kSet;
    out.auth_found.error.reset();
  } else if (!out.auth_found.error) {
    out.auth_found.error = config_doubt("a credential");
    if (!out.auth_found.error && grammar_.auth_is_code)
      out.auth_found.error = Error{ErrorCode::kUnsupported, "the program itself decides whom it asks for a password"};
  }
}

bool SettingFinder::applies(const SwitchRule& rule, Found& found) const {
  if (!rule.option.empty()) {
    if (rule.when == SwitchRule::When::kYes && has_flag(arguments_, rule.option)) return true;
    const bool may_stand_alone = rule.when == SwitchRule::When::kStar;
    const auto value = rule.when == SwitchRule::When::kYes ? std::nullopt : option({&rule.option, 1}, may_stand_alone);
    if (value && ((!value->has_value && may_stand_alone) || holds(rule, value->value))) return true;
  }
  if (rule.variable.empty()) return false;
  const auto value = variable(rule.variable, found);
  return value && holds(rule, *value);
}

void SettingFinder::find_switches(ServiceSettings& out) const {
  for (const auto& rule : grammar_.switches) {
    Found found;
    if (applies(rule, found)) {
      out.switches.insert(std::string(rule.word));
    } else if (found.error) {
      out.switches_error = found.error;
    }
  }
}

void SettingFinder::find_store(ServiceSettings& out, const std::string& home) const {
  Found ignored;
  if (const auto value = option(grammar_.store_options)) {
    out.model_store = std::string(value->value);
  } else if (auto folder = first_variable(grammar_.store_variables, ignored)) {
    out.model_store = *folder;
  } else if (auto hub = variable("HF_HOME", ignored); hub && grammar_.store_in_home.starts_with(".cache/hugg")) {
    out.model_store = *hub + "/hub";
  } else if (!grammar_.store_in_home.empty()) {
    const auto own = variable("HOME", ignored).value_or(home);
    if (!own.empty()) out.model_store = concat({own, "/", grammar_.store_in_home});
  }
  if (!out.model_store.starts_with("/")) out.model_store.clear();
}

void set_address(ServiceSettings& out, std::string_view address) {
  out.address = std::string(without_brackets(address));
  out.exposure = exposure_of_list(*out.address);
}

}  // namespace gpuharden
