// SPDX-License-Identifier: GPL-2.0-or-later
// The options, variables and defaults of each service, as data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "checks/services/service_settings.h"

namespace gpuharden {

using NameList = std::span<const std::string_view>;

// Something else that matters about a service, by an option or a variable.
struct SwitchRule {
  enum class When : std::uint8_t {
    kYes,    // the flag is given, or the variable is a yes
    kAny,    // the option or variable is given with any value
    kEqual,  // it has this value
    kStar,   // "*" is one of its comma-separated values, or the option has no value
  };
  std::string_view word;
  When when = When::kYes;
  std::string_view option, variable, value;
};

struct ServiceGrammar {
  std::string_view service;
  NameList host_options = {}, host_variables = {};
  std::string_view host_default = {};  // "" is every address
  bool host_is_code = false;           // without option and variable only the program itself knows
  bool host_value_is_optional = false;
  std::string_view all_flag = {};  // binds every address
  NameList port_options = {}, port_variables = {};
  std::uint16_t port_default = 0;
  std::string_view socket_option = {};  // a UNIX socket instead of TCP
  NameList auth_options = {}, auth_variables = {};
  AuthState auth_default = AuthState::kNone;
  bool auth_is_code = false;
  NameList tls_options = {};
  NameList config_options = {};  // a file that may set anything
  std::span<const SwitchRule> switches = {};
  NameList store_options = {}, store_variables = {};  // where models lie
  std::string_view store_in_home = {};                // by default, below the home folder
  bool abbreviates = false;                           // argparse
};

// nullptr for a service that is not understood.
const ServiceGrammar* find_grammar(const ServiceCall& call);

}  // namespace gpuharden
