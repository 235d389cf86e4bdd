// SPDX-License-Identifier: GPL-2.0-or-later
// Answers the questions about a service from its grammar: option, then variable, then default.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "checks/services/options.h"
#include "checks/services/service_grammar.h"

namespace gpuharden {

class SettingFinder {
 public:
  SettingFinder(const ServiceCall& call, const ServiceGrammar& grammar);

  // `call` and `grammar` stay with the caller and live as long as this.
  ServiceSettings find(const std::string& home) const;

  std::optional<OptionValue> option(NameList names, bool value_is_optional = false, bool abbreviated = false) const;
  // The variable's value if it is set and not empty; `found` says where, or why it is not known.
  std::optional<std::string> variable(std::string_view name, Found& found) const;
  std::span<const std::string> arguments() const { return arguments_; }

 private:
  void find_address(ServiceSettings& out) const;
  void find_port(ServiceSettings& out) const;
  void find_auth(ServiceSettings& out) const;
  void find_switches(ServiceSettings& out) const;
  void find_store(ServiceSettings& out, const std::string& home) const;
  std::optional<std::string> host(Found& found) const;
  bool applies(const SwitchRule& rule, Found& found) const;
  std::optional<std::string> first_variable(NameList names, Found& found) const;
  std::optional<Error> config_doubt(std::string_view what) const;

  const ServiceCall& call_;
  const ServiceGrammar& grammar_;
  std::span<const std::string> arguments_;
};

// Sets the address and what it means; brackets and blanks around it are taken away.
void set_address(ServiceSettings& out, std::string_view address);

}  // namespace gpuharden
