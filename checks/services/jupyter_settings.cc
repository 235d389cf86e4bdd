// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/jupyter_settings.h"

#include <algorithm>
#include <array>

#include "checks/process/ai_services.h"
#include "checks/services/jupyter_config.h"
#include "checks/services/options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

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

struct KnownTrait {
  std::string value;
  Found found;
};

class JupyterReader {
 public:
  JupyterReader(const ServiceCall& call, const JupyterPlace& place)
      : call_(call), place_(place), arguments_(program_arguments(call.arguments)) {}

  ServiceSettings read() {
    if (call_.environment != nullptr) doubt_ = call_.environment->error;
    for (const auto& folder : folders()) read_folder(folder);
    static constexpr std::array<std::string_view, 1> kConfig = {"--config"};
    if (const auto config = find_option(arguments_, {kConfig})) read_named(std::string(config->value));
    ServiceSettings out;
    set_address_and_port(out);
    set_auth(out);
    set_switches(out);
    const auto certificate = trait("certfile", "--certfile");
    out.tls = certificate && !certificate->value.empty();
    return out;
  }

 private:
  std::string variable(std::string_view name) const {
    const auto* found = call_.environment == nullptr ? nullptr : call_.environment->find(name);
    return found == nullptr ? std::string() : found->value;
  }

  std::vector<std::string> folders() const {
    std::vector<std::string> out = {"/etc/jupyter", "/usr/local/etc/jupyter"};
    for (const auto& word : call_.arguments) {
      const auto bin = word.rfind("/bin/");
      if (!word.starts_with("/") || bin == std::string::npos || bin == 0) continue;
      const auto folder = word.substr(0, bin) + "/etc/jupyter";
      if (std::find(out.begin(), out.end(), folder) == out.end()) out.push_back(folder);
      if (&word - call_.arguments.data() > 1) break;
    }
    const auto path = variable("JUPYTER_CONFIG_PATH");
    for (const auto folder : split(path, ':')) {
      if (folder.starts_with("/")) out.emplace_back(folder);
    }
    const auto own = variable("JUPYTER_CONFIG_DIR");
    const auto home = variable("HOME").empty() ? place_.home : variable("HOME");
    if (!own.empty()) {
      out.push_back(own);
    } else if (!home.empty()) {
      out.push_back(home + "/.jupyter");
    }
    return out;
  }

  void read_folder(const std::string& folder) {
    for (const auto name : kNames) {
      for (const auto* suffix : {".py", ".json"}) read_file(concat({folder, "/", name, suffix}));
    }
  }

  void read_named(const std::string& path) {
    if (!path.starts_with("/")) {
      doubt_ = Error{ErrorCode::kUnsupported, concat({path, ": its folder is not known"})};
    } else {
      read_file(path);
    }
  }

  void read_file(const std::string& path) {
    const auto file = place_.files->read(path);
    if (!file) {
      if (file.error().code != ErrorCode::kNotFound) doubt_ = file.error();
      return;
    }
    if (file->truncated) doubt_ = Error{ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})};
    if (path.ends_with(".json")) {
      auto config = parse_jupyter_json(file->bytes);
      if (config) {
        add(*config, path);
      } else {
        doubt_ = Error{config.error().code, concat({path, ": ", config.error().message})};
      }
    } else {
      add(parse_jupyter_python(file->bytes), path);
    }
  }

  void add(const JupyterConfig& config, const std::string& path) {
    if (config.is_opaque)
      doubt_ = Error{ErrorCode::kUnsupported, concat({path, ": only running it would tell what it sets"})};
    for (const auto& [name, trait] : config.traits) {
      Found found{SettingSource::kConfig, name, path, trait.line, {}};
      if (trait.is_unread)
        found.error = Error{ErrorCode::kUnsupported, concat({path, ": the value of ", name, " is computed"})};
      traits_[name] = {trait.value, found};
    }
  }

  // The option, else the files' value of any of the classes that hold this trait; a computed one first.
  std::optional<KnownTrait> trait(std::string_view name, std::string_view alias) const {
    std::vector<std::string> options;
    for (const auto group : kGroups) options.push_back(concat({"--", group, ".", name}));
    std::vector<std::string_view> names(options.begin(), options.end());
    if (!alias.empty()) names.push_back(alias);
    if (const auto option = find_option(arguments_, {names}))
      return KnownTrait{unquoted(option->value), {SettingSource::kOption, std::string(option->name), {}, 0, {}}};
    std::optional<KnownTrait> known;
    for (const auto group : kGroups) {
      const auto found = traits_.find(concat({group, ".", name}));
      if (found == traits_.end()) continue;
      if (known && known->found.error) break;
      const bool differs = known && known->value != found->second.value;
      known = found->second;
      if (differs)
        known->found.error = Error{ErrorCode::kUnsupported, concat({name, " is set in two ways, which differ"})};
    }
    return known;
  }

  static std::string unquoted(std::string_view value) {
    if (value.size() >= 2 && value.front() == value.back() && (value.front() == '\'' || value.front() == '"'))
      value = value.substr(1, value.size() - 2);
    return std::string(value);
  }

  void set_address_and_port(ServiceSettings& out) const {
    const auto address = trait("ip", "--ip");
    if (address) out.address_found = address->found;
    if (!out.address_found.error && out.address_found.source != SettingSource::kOption)
      out.address_found.error = doubt_;
    out.address = address ? address->value : "localhost";
    if (*out.address == "*") out.address = "";
    out.exposure = exposure_of_list(*out.address);
    const auto port = trait("port", "--port");
    const auto text = port ? port->value : variable("JUPYTER_PORT");
    const auto number = parse_unsigned(text);
    out.port = text.empty()                 ? std::optional<std::uint32_t>(8888)
               : number && *number <= 65535 ? std::optional(static_cast<std::uint32_t>(*number))
                                            : std::nullopt;
  }

  // A password or a token that is not empty asks for it; an empty token without a password lets
  // everybody in; nothing at all means a random token.
  void set_auth(ServiceSettings& out) const {
    out.auth = AuthState::kDefault;
    const auto token = trait("token", "");
    const std::array<std::optional<KnownTrait>, 2> passwords = {trait("password", ""), trait("hashed_password", "")};
    for (const auto& one : {passwords[0], passwords[1], token}) {
      if (!one) continue;
      if (one->found.error) {
        out.auth_found = one->found;
        return;
      }
      if (!one->value.empty()) {
        out.auth = AuthState::kSet;
        out.auth_found = one->found;
        return;
      }
    }
    if (token) {
      out.auth = AuthState::kDisabled;
      out.auth_found = token->found;
    } else if (!variable("JUPYTER_TOKEN").empty()) {
      out.auth = AuthState::kSet;
      out.auth_found = {SettingSource::kEnvironment, "JUPYTER_TOKEN", {}, 0, {}};
    }
    if (out.auth_found.source != SettingSource::kOption) out.auth_found.error = doubt_;
    const auto provider = trait("identity_provider_class", "");
    if (provider) out.auth_found.error = Error{ErrorCode::kUnsupported, "it uses an identity provider of its own"};
  }

  void add_switch(ServiceSettings& out, std::string_view name, std::string_view wanted, std::string_view word) const {
    const auto known = trait(name, "");
    if (!known) return;
    if (known->found.error) out.switches_error = known->found.error;
    if (equals_ignore_case(known->value, wanted)) out.switches.insert(std::string(word));
  }

  void set_switches(ServiceSettings& out) const {
    out.switches_error = doubt_;
    add_switch(out, "allow_origin", "*", "origins-any");
    add_switch(out, "disable_check_xsrf", "True", "no-xsrf-check");
    add_switch(out, "allow_root", "True", "allow-root");
    add_switch(out, "allow_unauthenticated_access", "True", "unauthenticated-access");
    if (has_flag(arguments_, "--allow-root")) out.switches.insert("allow-root");
    if (is_yes(variable("JUPYTER_SERVER_ALLOW_UNAUTHENTICATED_ACCESS"))) out.switches.insert("unauthenticated-access");
  }

  const ServiceCall& call_;
  const JupyterPlace& place_;
  std::span<const std::string> arguments_;
  std::map<std::string, KnownTrait, std::less<>> traits_;
  std::optional<Error> doubt_;
};

}  // namespace

ServiceSettings jupyter_settings(const ServiceCall& call, const JupyterPlace& place) {
  return JupyterReader(call, place).read();
}

}  // namespace gpuharden
