// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/service_settings.h"

#include <algorithm>
#include <array>

#include "checks/process/ai_services.h"
#include "checks/services/setting_finder.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Names1 = std::array<std::string_view, 1>;

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool has_word(std::span<const std::string> words, std::initializer_list<std::string_view> any_of) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(any_of.begin(), any_of.end(), word) != any_of.end();
  });
}

// The program's own name: the executable, script or module.
std::string_view program_name(const ServiceCall& call) {
  const auto rest = program_arguments(call.arguments).size();
  return base_name(call.arguments[call.arguments.size() - rest - 1]);
}

// The first of Ollama's words is its command.
std::string_view command_word(std::span<const std::string> arguments) {
  const auto found =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& word) { return !word.starts_with("-"); });
  return found == arguments.end() ? std::string_view() : std::string_view(*found);
}

void set_ollama(const SettingFinder& finder, ServiceSettings& out) {
  const auto host = finder.variable("OLLAMA_HOST", out.address_found);
  const auto address = parse_ollama_host(host.value_or(""));
  out.address = address.host;
  out.exposure = address.exposure;
  out.port = address.port;
  // Any text but a Go "false" is a yes.
  Found found;
  const auto cloud = finder.variable("OLLAMA_NO_CLOUD", found);
  static constexpr std::array<std::string_view, 6> kFalse = {"0", "f", "F", "false", "False", "FALSE"};
  if (cloud && std::find(kFalse.begin(), kFalse.end(), trim(*cloud)) != kFalse.end()) out.switches.erase("no-cloud");
}

// HTTP and gRPC listen each for itself, on every address by default; the wider of the two counts.
void set_triton(const SettingFinder& finder, ServiceSettings& out) {
  static constexpr Names1 kGrpc = {"--grpc-address"};
  static constexpr Names1 kAllowHttp = {"--allow-http"};
  static constexpr Names1 kAllowGrpc = {"--allow-grpc"};
  const auto is_off = [&](const Names1& option) {
    const auto value = finder.option(option);
    return value && value->has_value && !is_yes(value->value);
  };
  if (is_off(kAllowGrpc)) {
    if (is_off(kAllowHttp)) out.address.reset();
    return;
  }
  if (!is_off(kAllowHttp) && out.exposure == Exposure::kAll) return;
  const auto grpc = finder.option(kGrpc);
  const std::string_view address = grpc ? grpc->value : "";
  if (is_off(kAllowHttp) || exposure_of_list(address) != Exposure::kLoopback) {
    set_address(out, address);
    out.port = 8001;
    out.address_found = {
        grpc ? SettingSource::kOption : SettingSource::kDefault, grpc ? "--grpc-address" : "", {}, 0, {}};
  }
}

// Whatever is not "true" switches the accounts off.
void set_open_webui(const SettingFinder& finder, ServiceSettings& out) {
  Found found;
  const auto value = finder.variable("WEBUI_AUTH", found);
  out.auth_found = found;
  if (value && !equals_ignore_case(*value, "true")) out.auth = AuthState::kDisabled;
}

void set_mlflow(const SettingFinder& finder, ServiceSettings& out) {
  static constexpr Names1 kApplication = {"--app-name"};
  const auto application = finder.option(kApplication);
  if (!application || !application->has_value) return;
  out.auth_found = {SettingSource::kOption, "--app-name", {}, 0, {}};
  if (application->value == "basic-auth") {
    out.auth = AuthState::kSet;
  } else {
    out.auth_found.error =
        Error{ErrorCode::kUnsupported, concat({"what the application ", application->value, " asks for is not known"})};
  }
}

void set_localai(const SettingFinder& finder, ServiceSettings& out) {
  const auto listening = parse_ollama_host(*out.address);  // host:port as Go splits it
  if (!out.address->empty()) {
    out.address = listening.host;
    out.exposure = listening.exposure;
    if (listening.port != 11434) out.port = listening.port;
  }
  Found found;
  const auto value = finder.variable("LOCALAI_AUTH", found);
  if (out.auth == AuthState::kNone && value && is_yes(*value)) {
    out.auth = AuthState::kSet;
    out.auth_found = found;
  }
}

void set_ray(const SettingFinder& finder, ServiceSettings& out) {
  static constexpr Names1 kNode = {"--node-ip-address"};
  static constexpr Names1 kDashboard = {"--dashboard-host"};
  if (has_word(finder.arguments(), {"start"})) {
    // The dashboard is the least of it: the other ports are on the node's address.
    const auto dashboard = finder.option(kDashboard);
    const auto node = finder.option(kNode);
    if (!dashboard || exposure_of_list(dashboard->value) == Exposure::kLoopback) {
      out.address_found = {
          node ? SettingSource::kOption : SettingSource::kDefault, node ? "--node-ip-address" : "", {}, 0, {}};
      set_address(out, node ? node->value : "");
      out.port = 6379;
    }
  }
  const auto mode = finder.variable("RAY_AUTH_MODE", out.auth_found);
  if (!mode) return;
  if (equals_ignore_case(*mode, "token")) {
    out.auth = AuthState::kSet;
  } else if (equals_ignore_case(*mode, "disabled")) {
    out.auth = AuthState::kDisabled;
  } else {
    out.auth_found.error = Error{ErrorCode::kUnsupported, concat({"RAY_AUTH_MODE=", *mode, " is not known"})};
  }
}

// A path instead of an address is a UNIX socket.
void set_llama(ServiceSettings& out) {
  if (out.address && out.address->ends_with(".sock")) {
    out.address.reset();
    out.port.reset();
  }
}

void refine(const std::string& service, const SettingFinder& finder, ServiceSettings& out) {
  if (service == "ollama") set_ollama(finder, out);
  if (service == "triton") set_triton(finder, out);
  if (service == "open-webui") set_open_webui(finder, out);
  if (service == "mlflow") set_mlflow(finder, out);
  if (service == "localai") set_localai(finder, out);
  if (service == "ray") set_ray(finder, out);
  if (service == "llama-server") set_llama(out);
}

}  // namespace

const ServiceVariable* ServiceEnvironment::find(std::string_view name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : &found->second;
}

std::optional<Error> ServiceEnvironment::doubt(std::string_view name) const {
  const auto found = unread.find(name);
  return found == unread.end() ? error : std::optional(found->second);
}

std::string_view to_string(AuthState state) {
  static constexpr std::array<std::string_view, 4> kWords = {"none", "set", "disabled", "default"};
  return kWords.at(static_cast<std::size_t>(state));
}

std::string_view to_string(SettingSource source) {
  static constexpr std::array<std::string_view, 4> kWords = {"default", "option", "environment", "config"};
  return kWords.at(static_cast<std::size_t>(source));
}

Exposure exposure_of_list(std::string_view addresses) {
  Exposure worst = Exposure::kLoopback;
  const auto rank = [](Exposure exposure) {
    static constexpr std::array<int, 4> kRanks = {0, 3, 2, 1};  // loopback, all, specific, unresolved
    return kRanks.at(static_cast<std::size_t>(exposure));
  };
  for (const auto address : split(addresses, ',')) {
    const auto one = exposure_of(trim(address));
    if (rank(one) > rank(worst)) worst = one;
  }
  return worst;
}

std::optional<ServiceCall> service_call(const AiService* service, std::vector<std::string> arguments) {
  if (service == nullptr || arguments.empty()) return std::nullopt;
  ServiceCall call{std::string(service->name), std::move(arguments), nullptr};
  if (call.service == "jupyter" && program_name(call) == "jupyterhub") call.service = "jupyterhub";
  return is_server(call) ? std::optional(std::move(call)) : std::nullopt;
}

bool is_server(const ServiceCall& call) {
  if (call.arguments.empty() || find_grammar(call) == nullptr) return false;
  const auto arguments = program_arguments(call.arguments);
  const auto program = program_name(call);
  const auto command = command_word(arguments);
  // Workers carry their title in the place of the arguments.
  if (call.arguments[0].find("::") != std::string::npos) return false;
  if (call.service == "ollama") return command == "serve" || command == "start";
  if (call.service == "vllm")
    return command == "serve" || program.starts_with("vllm.entrypoints") || program == "api_server.py";
  if (call.service == "sglang") return command == "serve" || program.find("launch_server") != std::string_view::npos;
  if (call.service == "tgi") return program != "text-generation-server";
  if (call.service == "triton") return program == "tritonserver";
  if (call.service == "ray")
    return program == "gcs_server" || program == "dashboard.py" || (program == "ray" && command == "start");
  if (call.service == "mlflow") return has_word(arguments, {"server", "ui", "serve"});
  if (call.service == "open-webui") return program != "open-webui" || command == "serve" || command == "dev";
  if (call.service == "jupyter") {
    return program != "ipykernel_launcher" && !program.starts_with("jupyterhub") &&
           !has_word(arguments, {"list", "stop", "password", "build", "labextension", "kernelspec", "nbconvert"});
  }
  return true;
}

ServiceSettings service_settings(const ServiceCall& call, const std::string& home) {
  const auto* grammar = find_grammar(call);
  if (grammar == nullptr) return {};
  const SettingFinder finder(call, *grammar);
  auto out = finder.find(home);
  refine(call.service, finder, out);
  return out;
}

}  // namespace gpuharden
