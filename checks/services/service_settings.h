// SPDX-License-Identifier: GPL-2.0-or-later
// How a model server or its kin is set up: where it listens, whom it asks for a credential, by its
// own options, environment and defaults. Values of credentials are never kept.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/environment/ollama_host.h"
#include "checks/process/ai_services.h"
#include "engine/base/result.h"

namespace gpuharden {

struct ServiceVariable {
  std::string value;
  std::string file;  // that sets it; empty for a process's own environment
  std::uint32_t line = 0;
};

struct ServiceEnvironment {
  std::map<std::string, ServiceVariable, std::less<>> variables;
  std::map<std::string, Error, std::less<>> unread;  // variables whose value no file holds
  std::optional<Error> error;                        // it could not be read, or not in full

  const ServiceVariable* find(std::string_view name) const;
  // Why a variable that find() does not know may be set all the same.
  std::optional<Error> doubt(std::string_view name) const;
};

// What starts the service.
struct ServiceCall {
  std::string service;                 // of find_service()
  std::vector<std::string> arguments;  // the program or interpreter first
  const ServiceEnvironment* environment = nullptr;
};

enum class AuthState : std::uint8_t {
  kNone,      // nothing is set, and nothing is asked by default (or it has no such thing)
  kSet,       // a token, password or key is configured
  kDisabled,  // switched off explicitly
  kDefault,   // nothing is set; it asks by default
};
std::string_view to_string(AuthState state);

enum class SettingSource : std::uint8_t { kDefault, kOption, kEnvironment, kConfig };
std::string_view to_string(SettingSource source);

// What was found for one question: a value and its place, or why it is not known.
struct Found {
  SettingSource source = SettingSource::kDefault;
  std::string name;  // of the option, variable or setting; empty for a default
  std::string file;
  std::uint32_t line = 0;
  std::optional<Error> error;
};

struct ServiceSettings {
  // "" is every address; nothing where it listens on no TCP port.
  std::optional<std::string> address;
  Exposure exposure = Exposure::kLoopback;
  Found address_found;
  std::optional<std::uint32_t> port;
  AuthState auth = AuthState::kNone;
  Found auth_found;
  std::optional<bool> tls;  // nothing where it has no such setting
  // Words for what else matters: "trust-remote-code", "share", "origins-any" …, sorted.
  std::set<std::string> switches;
  std::optional<Error> switches_error;
  std::string model_store;  // where models are kept or loaded from; empty where it is not known
};

// The call that starts this service; nothing for nullptr and where is_server() says no.
std::optional<ServiceCall> service_call(const AiService* service, std::vector<std::string> arguments);

// Whether this command is a server of the services that are understood: "ollama serve" is one,
// "ollama run" and "VLLM::Worker" are none.
bool is_server(const ServiceCall& call);

// The settings of a server. `home` is the home folder of its user; empty when it is not known.
ServiceSettings service_settings(const ServiceCall& call, const std::string& home);

// The worst of a list "0.0.0.0,::".
Exposure exposure_of_list(std::string_view addresses);

}  // namespace gpuharden
