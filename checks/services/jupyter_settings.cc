// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/jupyter_settings.h"

#include <algorithm>
#include <array>

#include "checks/services/jupyter_traits.h"
#include "checks/services/options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Trait = std::optional<KnownTrait>;

constexpr std::array<std::string_view, 4> kNames = {"jupyter_config", "jupyter_notebook_config",
                                                    "jupyter_server_config", "jupyter_lab_config"};
// The classes that hold the server's traits, old and new.
constexpr std::array<std::string_view, 7> kGroups = {"NotebookApp",
                                                     "ServerApp",
                                                     "LabApp",
                                                     "SingleUserLabApp",
                                                     "SingleUserNotebookApp",
                                                     "IdentityProvider",
                                                     "PasswordIdentityProvider"};
constexpr std::array<std::string_view, 1> kHub = {"JupyterHub"};
constexpr std::array<std::string_view, 1> kDummy = {"DummyAuthenticator"};

// A path inside a bin folder tells the environment that it belongs to.
void add_prefixes(const ServiceCall& call, std::vector<std::string>& folders) {
  for (std::size_t i = 0; i < std::min<std::size_t>(call.arguments.size(), 2); ++i) {
    const auto& word = call.arguments[i];
    const auto bin = word.rfind("/bin/");
    if (!word.starts_with("/") || bin == std::string::npos || bin == 0) continue;
    auto folder = word.substr(0, bin) + "/etc/jupyter";
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
  }
}

std::vector<std::string> folders_of(const ServiceCall& call, const JupyterTraits& traits, const std::string& home) {
  std::vector<std::string> out = {"/etc/jupyter", "/usr/local/etc/jupyter"};
  add_prefixes(call, out);
  const auto path = traits.variable("JUPYTER_CONFIG_PATH");
  for (const auto folder : split(path, ':')) {
    if (folder.starts_with("/")) out.emplace_back(folder);
  }
  const auto own = traits.variable("JUPYTER_CONFIG_DIR");
  const auto base = traits.variable("HOME").empty() ? home : traits.variable("HOME");
  if (!own.empty()) {
    out.push_back(own);
  } else if (!base.empty()) {
    out.push_back(base + "/.jupyter");
  }
  return out;
}

// Whether there is one. A relative path is a doubt: the program's folder is not known.
bool read_named_file(JupyterTraits& traits) {
  static constexpr std::array<std::string_view, 2> kConfig = {"--config", "-f"};
  const auto option = find_option(traits.arguments(), {kConfig});
  if (!option) return false;
  if (option->value.starts_with("/")) {
    traits.read_file(std::string(option->value));
  } else {
    traits.note({ErrorCode::kUnsupported, concat({option->value, ": its folder is not known"})});
  }
  return true;
}

void set_where(ServiceSettings& out, std::string_view address) {
  out.address = address == "*" ? std::string() : std::string(address);
  out.exposure = exposure_of_list(*out.address);
}

// What only the command line is certain about stays in doubt.
void add_doubt(Found& found, const std::optional<Error>& doubt) {
  if (!found.error && found.source != SettingSource::kOption) found.error = doubt;
}

// A password or a token that is not empty asks for it; an empty token without a password lets
// everybody in; nothing at all means a random token.
void set_auth(const JupyterTraits& traits, ServiceSettings& out) {
  out.auth = AuthState::kDefault;
  const Trait token = traits.find(kGroups, "token", "");
  for (const auto& one : {traits.find(kGroups, "password", ""), traits.find(kGroups, "hashed_password", ""), token}) {
    if (!one || (one->value.empty() && !one->found.error)) continue;
    out.auth = AuthState::kSet;
    out.auth_found = one->found;
    return;
  }
  if (token) {
    out.auth = AuthState::kDisabled;
    out.auth_found = token->found;
  } else if (!traits.variable("JUPYTER_TOKEN").empty()) {
    out.auth = AuthState::kSet;
    out.auth_found = {SettingSource::kEnvironment, "JUPYTER_TOKEN", {}, 0, {}};
  }
  add_doubt(out.auth_found, traits.doubt());
  if (traits.find(kGroups, "identity_provider_class", ""))
    out.auth_found.error = Error{ErrorCode::kUnsupported, "it uses an identity provider of its own"};
}

void set_switches(const JupyterTraits& traits, ServiceSettings& out) {
  static constexpr std::array<std::array<std::string_view, 3>, 4> kSwitches = {
      {{"allow_origin", "*", "origins-any"},
       {"disable_check_xsrf", "True", "no-xsrf-check"},
       {"allow_root", "True", "allow-root"},
       {"allow_unauthenticated_access", "True", "unauthenticated-access"}}};
  out.switches_error = traits.doubt();
  for (const auto& [name, wanted, word] : kSwitches) {
    const auto known = traits.find(kGroups, name, "");
    if (!known) continue;
    if (known->found.error) out.switches_error = known->found.error;
    if (equals_ignore_case(known->value, wanted)) out.switches.insert(std::string(word));
  }
  if (has_flag(traits.arguments(), "--allow-root")) out.switches.insert("allow-root");
  if (is_yes(traits.variable("JUPYTER_SERVER_ALLOW_UNAUTHENTICATED_ACCESS")))
    out.switches.insert("unauthenticated-access");
}

}  // namespace

ServiceSettings jupyter_settings(const ServiceCall& call, const JupyterPlace& place) {
  JupyterTraits traits(call, *place.files);
  for (const auto& folder : folders_of(call, traits, place.home)) {
    for (const auto name : kNames) {
      for (const auto* suffix : {".py", ".json"}) traits.read_file(concat({folder, "/", name, suffix}));
    }
  }
  read_named_file(traits);
  ServiceSettings out;
  const auto address = traits.find(kGroups, "ip", "--ip");
  if (address) out.address_found = address->found;
  add_doubt(out.address_found, traits.doubt());
  set_where(out, address ? address->value : "localhost");
  const auto port = traits.find(kGroups, "port", "--port");
  out.port = jupyter_port(port ? port->value : traits.variable("JUPYTER_PORT"), 8888);
  set_auth(traits, out);
  set_switches(traits, out);
  const auto certificate = traits.find(kGroups, "certfile", "--certfile");
  out.tls = certificate && !certificate->value.empty();
  return out;
}

ServiceSettings jupyterhub_settings(const ServiceCall& call, const JupyterPlace& place) {
  JupyterTraits traits(call, *place.files);
  if (!read_named_file(traits))
    traits.note({ErrorCode::kUnsupported, "jupyterhub_config.py is taken from a folder that is not known"});
  ServiceSettings out;
  const auto url = traits.find(kHub, "bind_url", "--url");
  const auto address = traits.find(kHub, "ip", "--ip");
  const auto port = traits.find(kHub, "port", "--port");
  out.port = jupyter_port(port ? port->value : "", 8000);
  set_where(out, address ? address->value : "");
  if (address) out.address_found = address->found;
  if (url) {
    // host and port of "http://127.0.0.1:8000/base", as Go and Python split them alike.
    const auto listening = parse_ollama_host(url->value);
    out.address_found = url->found;
    set_where(out, listening.host);
    out.port = listening.port;
  }
  add_doubt(out.address_found, traits.doubt());
  // The dummy authenticator takes every name, with any password unless one is set for all.
  out.auth = AuthState::kDefault;
  if (const auto kind = traits.find(kHub, "authenticator_class", "")) {
    out.auth_found = kind->found;
    const auto password = traits.find(kDummy, "password", "");
    if (to_lower(kind->value).find("dummy") != std::string::npos)
      out.auth = password && !password->value.empty() ? AuthState::kSet : AuthState::kDisabled;
  }
  add_doubt(out.auth_found, traits.doubt());
  return out;
}

}  // namespace gpuharden
