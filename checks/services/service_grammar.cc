// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/service_grammar.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

using Name = std::string_view;
using When = SwitchRule::When;

constexpr std::array<Name, 1> kHost = {"--host"};
constexpr std::array<Name, 1> kPort = {"--port"};
constexpr std::array<Name, 2> kShortPort = {"--port", "-p"};
constexpr std::array<Name, 1> kHostVariable = {"HOST"};
constexpr std::array<Name, 1> kPortVariable = {"PORT"};
constexpr std::array<Name, 1> kConfig = {"--config"};
constexpr std::array<Name, 2> kSslFiles = {"--ssl-keyfile", "--ssl-certfile"};
constexpr std::array<Name, 3> kHubFolders = {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "TRANSFORMERS_CACHE"};
constexpr Name kHubInHome = ".cache/huggingface/hub";

constexpr std::array<Name, 1> kOllamaModels = {"OLLAMA_MODELS"};
constexpr SwitchRule kOllamaSwitches[] = {
    {"origins-any", When::kStar, "", "OLLAMA_ORIGINS", ""},
    {"remotes", When::kAny, "", "OLLAMA_REMOTES", ""},
    {"no-cloud", When::kAny, "", "OLLAMA_NO_CLOUD", ""},
    {"log-requests", When::kYes, "", "OLLAMA_DEBUG_LOG_REQUESTS", ""},
};

constexpr std::array<Name, 1> kApiKey = {"--api-key"};
constexpr std::array<Name, 1> kVllmKey = {"VLLM_API_KEY"};
constexpr std::array<Name, 1> kDownloadFolder = {"--download-dir"};
constexpr SwitchRule kVllmSwitches[] = {
    {"trust-remote-code", When::kYes, "--trust-remote-code", "", ""},
    {"local-media", When::kAny, "--allowed-local-media-path", "", ""},
    {"prompt-embeds", When::kYes, "--enable-prompt-embeds", "", ""},
    {"dev-mode", When::kYes, "", "VLLM_SERVER_DEV_MODE", ""},
    {"insecure-serialization", When::kYes, "", "VLLM_ALLOW_INSECURE_SERIALIZATION", ""},
};

constexpr std::array<Name, 2> kSglangKey = {"--api-key", "--admin-api-key"};
constexpr SwitchRule kRemoteCode[] = {{"trust-remote-code", When::kYes, "--trust-remote-code", "", ""}};

constexpr std::array<Name, 1> kHostname = {"--hostname"};
constexpr std::array<Name, 1> kHostnameVariable = {"HOSTNAME"};
constexpr std::array<Name, 1> kTgiKey = {"API_KEY"};
constexpr std::array<Name, 1> kTgiStore = {"--huggingface-hub-cache"};
constexpr SwitchRule kTgiSwitches[] = {
    {"trust-remote-code", When::kYes, "--trust-remote-code", "TRUST_REMOTE_CODE", ""}};

constexpr std::array<Name, 1> kLlamaHost = {"LLAMA_ARG_HOST"};
constexpr std::array<Name, 1> kLlamaPort = {"LLAMA_ARG_PORT"};
constexpr std::array<Name, 2> kLlamaKey = {"--api-key", "--api-key-file"};
constexpr std::array<Name, 2> kLlamaKeyVariable = {"LLAMA_API_KEY", "LLAMA_ARG_API_KEY_FILE"};
constexpr std::array<Name, 2> kLlamaTls = {"--ssl-key-file", "--ssl-cert-file"};
constexpr std::array<Name, 1> kLlamaCppKey = {"--api-key"};
constexpr std::array<Name, 1> kLlamaCppConfig = {"--config-file"};
constexpr std::array<Name, 2> kRpcHost = {"-H", "--host"};
constexpr std::array<Name, 2> kRpcPort = {"-p", "--port"};

constexpr std::array<Name, 1> kHttpAddress = {"--http-address"};
constexpr std::array<Name, 1> kHttpPort = {"--http-port"};
constexpr std::array<Name, 2> kRepository = {"--model-repository", "--model-store"};
constexpr SwitchRule kTritonSwitches[] = {
    {"model-control-explicit", When::kEqual, "--model-control-mode", "", "explicit"},
    {"model-control-poll", When::kEqual, "--model-control-mode", "", "poll"},
    {"restricted-http", When::kAny, "--http-restricted-api", "", ""},
    {"restricted-grpc", When::kAny, "--grpc-restricted-protocol", "", ""},
};

constexpr std::array<Name, 2> kDashboardHost = {"--dashboard-host", "--host"};
constexpr std::array<Name, 2> kDashboardPort = {"--dashboard-port", "--port"};
constexpr std::array<Name, 1> kNodeAddress = {"--node-ip-address"};

constexpr std::array<Name, 1> kListen = {"--listen"};
constexpr std::array<Name, 2> kComfyTls = {"--tls-keyfile", "--tls-certfile"};
constexpr SwitchRule kComfySwitches[] = {{"cors-any", When::kStar, "--enable-cors-header", "", ""}};

constexpr std::array<Name, 1> kGradioHost = {"GRADIO_SERVER_NAME"};
constexpr std::array<Name, 1> kGradioPort = {"GRADIO_SERVER_PORT"};
constexpr SwitchRule kGradioSwitches[] = {{"share", When::kYes, "--share", "GRADIO_SHARE", ""}};

constexpr std::array<Name, 2> kLocalAiHost = {"--address", "--addr"};
constexpr std::array<Name, 2> kLocalAiVariable = {"LOCALAI_ADDRESS", "ADDRESS"};
constexpr std::array<Name, 1> kLocalAiKey = {"--api-keys"};
constexpr std::array<Name, 2> kLocalAiKeyVariable = {"LOCALAI_API_KEY", "API_KEY"};
constexpr std::array<Name, 1> kLiteLlmKey = {"LITELLM_MASTER_KEY"};

constexpr std::array<Name, 2> kMlflowHost = {"--host", "-h"};
constexpr std::array<Name, 1> kMlflowHostVariable = {"MLFLOW_HOST"};
constexpr std::array<Name, 1> kMlflowPort = {"MLFLOW_PORT"};
constexpr SwitchRule kMlflowSwitches[] = {
    {"allowed-hosts-any", When::kStar, "--allowed-hosts", "MLFLOW_SERVER_ALLOWED_HOSTS", ""}};

constexpr ServiceGrammar kGrammars[] = {
    {.service = "ollama",
     .port_default = 11434,
     .switches = kOllamaSwitches,
     .store_variables = kOllamaModels,
     .store_in_home = ".ollama/models"},
    {.service = "vllm",
     .host_options = kHost,
     .port_options = kPort,
     .port_default = 8000,
     .socket_option = "--uds",
     .auth_options = kApiKey,
     .auth_variables = kVllmKey,
     .tls_options = kSslFiles,
     .config_options = kConfig,
     .switches = kVllmSwitches,
     .store_options = kDownloadFolder,
     .store_variables = kHubFolders,
     .store_in_home = kHubInHome,
     .abbreviates = true},
    {.service = "sglang",
     .host_options = kHost,
     .host_default = "127.0.0.1",
     .port_options = kPort,
     .port_default = 30000,
     .auth_options = kSglangKey,
     .tls_options = kSslFiles,
     .config_options = kConfig,
     .switches = kRemoteCode,
     .store_options = kDownloadFolder,
     .store_variables = kHubFolders,
     .store_in_home = kHubInHome,
     .abbreviates = true},
    {.service = "tgi",
     .host_options = kHostname,
     .host_variables = kHostnameVariable,
     .port_options = kShortPort,
     .port_variables = kPortVariable,
     .port_default = 3000,
     .auth_options = kApiKey,
     .auth_variables = kTgiKey,
     .switches = kTgiSwitches,
     .store_options = kTgiStore,
     .store_variables = kHubFolders},
    {.service = "llama-server",
     .host_options = kHost,
     .host_variables = kLlamaHost,
     .host_default = "127.0.0.1",
     .port_options = kPort,
     .port_variables = kLlamaPort,
     .port_default = 8080,
     .auth_options = kLlamaKey,
     .auth_variables = kLlamaKeyVariable,
     .tls_options = kLlamaTls},
    {.service = "llama-rpc",
     .host_options = kRpcHost,
     .host_default = "127.0.0.1",
     .port_options = kRpcPort,
     .port_default = 50052},
    {.service = "triton",
     .host_options = kHttpAddress,
     .port_options = kHttpPort,
     .port_default = 8000,
     .switches = kTritonSwitches,
     .store_options = kRepository},
    {.service = "comfyui",
     .host_options = kListen,
     .host_default = "127.0.0.1",
     .host_value_is_optional = true,
     .port_options = kPort,
     .port_default = 8188,
     .tls_options = kComfyTls,
     .switches = kComfySwitches,
     .abbreviates = true},
    {.service = "gradio",
     .host_variables = kGradioHost,
     .host_default = "127.0.0.1",
     .host_is_code = true,
     .port_variables = kGradioPort,
     .port_default = 7860,
     .auth_is_code = true,
     .switches = kGradioSwitches},
    {.service = "open-webui",
     .host_options = kHost,
     .port_options = kPort,
     .port_variables = kPortVariable,
     .port_default = 8080,
     .auth_default = AuthState::kDefault},
    {.service = "localai",
     .host_options = kLocalAiHost,
     .host_variables = kLocalAiVariable,
     .port_default = 8080,
     .auth_options = kLocalAiKey,
     .auth_variables = kLocalAiKeyVariable},
    {.service = "litellm",
     .host_options = kHost,
     .host_variables = kHostVariable,
     .port_options = kPort,
     .port_variables = kPortVariable,
     .port_default = 4000,
     .auth_variables = kLiteLlmKey,
     .config_options = kConfig},
    {.service = "mlflow",
     .host_options = kMlflowHost,
     .host_variables = kMlflowHostVariable,
     .host_default = "127.0.0.1",
     .port_options = kShortPort,
     .port_variables = kMlflowPort,
     .port_default = 5000,
     .switches = kMlflowSwitches},
    {.service = "tensorboard",
     .host_options = kHost,
     .host_default = "localhost",
     .all_flag = "--bind_all",
     .port_options = kPort,
     .port_default = 6006,
     .abbreviates = true},
    {.service = "jupyterhub", .port_default = 8000, .auth_default = AuthState::kDefault},
    {.service = "jupyter", .host_default = "localhost", .port_default = 8888, .auth_default = AuthState::kDefault},
};

// The variants that share a name with another service.
constexpr ServiceGrammar kLlamaCppPython = {.service = "llama-server",
                                            .host_options = kHost,
                                            .host_variables = kHostVariable,
                                            .host_default = "localhost",
                                            .port_options = kPort,
                                            .port_variables = kPortVariable,
                                            .port_default = 8000,
                                            .auth_options = kLlamaCppKey,
                                            .auth_variables = kTgiKey,
                                            .tls_options = kSslFiles,
                                            .config_options = kLlamaCppConfig,
                                            .abbreviates = true};
constexpr ServiceGrammar kRayDashboard = {.service = "ray",
                                          .host_options = kDashboardHost,
                                          .host_default = "127.0.0.1",
                                          .port_options = kDashboardPort,
                                          .port_default = 8265};
// Without an address of its own the node's is found at run time.
constexpr ServiceGrammar kRayGcs = {
    .service = "ray", .host_options = kNodeAddress, .host_is_code = true, .port_default = 6379};

bool mentions(const ServiceCall& call, std::string_view text) {
  return std::any_of(call.arguments.begin(), call.arguments.end(),
                     [&](const std::string& argument) { return argument.find(text) != std::string::npos; });
}

}  // namespace

const ServiceGrammar* find_grammar(const ServiceCall& call) {
  if (call.service == "ray") return mentions(call, "gcs_server") ? &kRayGcs : &kRayDashboard;
  if (call.service == "llama-server" && mentions(call, "llama_cpp")) return &kLlamaCppPython;
  const auto* found = std::find_if(std::begin(kGrammars), std::end(kGrammars),
                                   [&](const ServiceGrammar& grammar) { return grammar.service == call.service; });
  return found == std::end(kGrammars) ? nullptr : found;
}

}  // namespace gpuharden
