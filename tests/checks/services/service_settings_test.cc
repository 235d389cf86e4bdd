// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/service_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/services/options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Words = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

// "address exposure port auth (by)", with UNREAD where it is not known and SOCKET without TCP.
std::string summary(const std::string& service, Words arguments, const Pairs& variables = {}) {
  ServiceEnvironment environment;
  for (const auto& [name, value] : variables) environment.variables[name] = {value, {}, 0};
  const ServiceCall call{service, std::move(arguments), &environment};
  if (!is_server(call)) return "no server";
  const auto settings = service_settings(call, "/home/ml");
  const std::string address = settings.address_found.error ? "UNREAD" : settings.address.value_or("SOCKET");
  return concat({address, " ", to_string(settings.exposure), " ", settings.port ? std::to_string(*settings.port) : "-",
                 " ", settings.auth_found.error ? "UNREAD" : to_string(settings.auth), " (", settings.auth_found.name,
                 ")"});
}

std::vector<std::string> switches(const std::string& service, Words arguments, const Pairs& variables = {}) {
  ServiceEnvironment environment;
  for (const auto& [name, value] : variables) environment.variables[name] = {value, {}, 0};
  const auto found = service_settings({service, std::move(arguments), &environment}, "").switches;
  return {found.begin(), found.end()};
}

TEST(ServiceSettings, OfVllm) {
  EXPECT_EQ(summary("vllm", {"python3", "/v/bin/vllm", "serve", "m"}), " all 8000 none ()");
  EXPECT_EQ(
      summary("vllm", {"python3", "-m", "vllm.entrypoints.openai.api_server", "--host=127.0.0.1", "--api_key", "s"}),
      "127.0.0.1 loopback 8000 set (--api-key)");
  EXPECT_EQ(summary("vllm", {"vllm", "serve", "m", "--api-key", ""}), " all 8000 none ()");
  EXPECT_EQ(summary("vllm", {"vllm", "serve", "m", "--host", "::1"}, {{"VLLM_API_KEY", "s"}}),
            "::1 loopback 8000 set (VLLM_API_KEY)");
  EXPECT_EQ(summary("vllm", {"vllm", "serve", "--uds", "/run/v.sock"}), "SOCKET loopback - none ()");
  EXPECT_EQ(summary("vllm", {"vllm", "serve", "--config", "a.yaml"}), "UNREAD all 8000 UNREAD ()");
  EXPECT_EQ(summary("vllm", {"VLLM::Worker_TP0"}), "no server");
  EXPECT_EQ(summary("vllm", {"vllm", "bench"}), "no server");
  EXPECT_THAT(switches("vllm", {"vllm", "serve", "--trust-remote-code"}, {{"VLLM_SERVER_DEV_MODE", "1"}}),
              ElementsAre("dev-mode", "trust-remote-code"));
}

TEST(ServiceSettings, OfOtherInferenceServers) {
  EXPECT_EQ(summary("ollama", {"ollama", "serve"}, {{"OLLAMA_HOST", ":-1"}}), " all 11434 none ()");
  EXPECT_EQ(summary("ollama", {"ollama", "run", "m"}), "no server");
  EXPECT_EQ(summary("sglang", {"python3", "-m", "sglang.launch_server", "--host", "0.0.0.0"}),
            "0.0.0.0 all 30000 none ()");
  EXPECT_EQ(summary("llama-server", {"llama-server", "--api-key-file", "/k"}, {{"LLAMA_ARG_HOST", "0.0.0.0"}}),
            "0.0.0.0 all 8080 set (--api-key-file)");
  EXPECT_EQ(summary("llama-server", {"python3", "-m", "llama_cpp.server"}), "localhost loopback 8000 none ()");
  EXPECT_EQ(summary("tgi", {"text-generation-launcher"}, {{"API_KEY", "x"}, {"PORT", "80"}}), " all 80 set (API_KEY)");
  EXPECT_EQ(summary("localai", {"local-ai", "run"}), " all 8080 none ()");
  EXPECT_EQ(summary("localai", {"local-ai", "--address", "127.0.0.1:9090"}, {{"LOCALAI_AUTH", "true"}}),
            "127.0.0.1 loopback 9090 set (LOCALAI_AUTH)");
  EXPECT_EQ(summary("litellm", {"python3", "/v/bin/litellm", "--config", "/c"}, {{"LITELLM_MASTER_KEY", "k"}}),
            "UNREAD all 4000 set (LITELLM_MASTER_KEY)");
}

TEST(ServiceSettings, OfTriton) {
  EXPECT_EQ(summary("triton", {"tritonserver", "--http-address=127.0.0.1"}), " all 8001 none ()");
  EXPECT_EQ(summary("triton", {"tritonserver", "--http-address=127.0.0.1", "--allow-grpc=false"}),
            "127.0.0.1 loopback 8000 none ()");
  EXPECT_EQ(summary("triton", {"tritonserver", "--allow-http=0", "--grpc-address=::1"}), "::1 loopback 8001 none ()");
  EXPECT_THAT(switches("triton", {"tritonserver", "--model-control-mode=EXPLICIT"}),
              ElementsAre("model-control-explicit"));
}

TEST(ServiceSettings, OfRay) {
  EXPECT_EQ(summary("ray", {"python3", "/v/bin/ray", "start", "--head"}), " all 6379 none ()");
  EXPECT_EQ(summary("ray", {"ray", "start", "--head", "--node-ip-address=127.0.0.1"}, {{"RAY_AUTH_MODE", "token"}}),
            "127.0.0.1 loopback 6379 set (RAY_AUTH_MODE)");
  EXPECT_EQ(summary("ray", {"ray", "start", "--dashboard-host=0.0.0.0", "--node-ip-address=127.0.0.1"}),
            "0.0.0.0 all 8265 none ()");
  EXPECT_EQ(summary("ray", {"ray::IDLE"}), "no server");
}

TEST(ServiceSettings, OfApplications) {
  EXPECT_EQ(summary("comfyui", {"python3", "/s/ComfyUI/main.py", "--listen"}), " all 8188 none ()");
  EXPECT_EQ(summary("comfyui", {"python3", "/s/ComfyUI/main.py", "--liste", "0.0.0.0,::"}),
            "0.0.0.0,:: all 8188 none ()");
  EXPECT_EQ(summary("comfyui", {"python3", "/s/ComfyUI/main.py", "--listen", "--port", "1"}), " all 1 none ()");
  EXPECT_THAT(switches("comfyui", {"python3", "/s/ComfyUI/main.py", "--enable-cors-header"}), ElementsAre("cors-any"));
  EXPECT_EQ(summary("open-webui", {"open-webui", "serve"}), " all 8080 default ()");
  EXPECT_EQ(summary("open-webui", {"open-webui", "serve"}, {{"WEBUI_AUTH", "1"}}), " all 8080 disabled (WEBUI_AUTH)");
  EXPECT_EQ(summary("mlflow", {"mlflow", "server", "-h", "0.0.0.0", "--app-name=basic-auth"}),
            "0.0.0.0 all 5000 set (--app-name)");
  EXPECT_EQ(summary("tensorboard", {"tensorboard", "--bind_all"}), " all 6006 none ()");
  EXPECT_EQ(summary("gradio", {"gradio", "app.py"}), "UNREAD loopback 7860 UNREAD ()");
  EXPECT_THAT(switches("gradio", {"gradio", "app.py"}, {{"GRADIO_SHARE", "True"}}), ElementsAre("share"));
}

TEST(ServiceSettings, TellOfOllamaWhatMatters) {
  EXPECT_THAT(switches("ollama", {"ollama", "serve"}, {{"OLLAMA_ORIGINS", "app://x, *"}, {"OLLAMA_NO_CLOUD", "yes"}}),
              ElementsAre("no-cloud", "origins-any"));
  EXPECT_THAT(switches("ollama", {"ollama", "serve"}, {{"OLLAMA_NO_CLOUD", "0"}}), IsEmpty());
}

// A variable that may hold a key or an address leaves what it would decide unread.
TEST(ServiceSettings, AreUnreadWithoutTheEnvironment) {
  ServiceEnvironment environment;
  environment.error = Error{ErrorCode::kPermission, "reading /proc/7/environ: permission denied"};
  const auto settings = service_settings({"vllm", {"vllm", "serve"}, &environment}, "");
  EXPECT_FALSE(settings.address_found.error);
  EXPECT_TRUE(settings.auth_found.error);
  EXPECT_TRUE(service_settings({"ollama", {"ollama", "serve"}, &environment}, "").address_found.error);
}

TEST(FindOption, TakesTheLastAndStopsAtTwoDashes) {
  static constexpr std::array<std::string_view, 1> kHost = {"--host"};
  const Words words = {"--host", "a", "--host=b", "--", "--host=c"};
  EXPECT_EQ(find_option(words, {kHost})->value, "b");
  EXPECT_FALSE(find_option(Words{"--hostname", "a"}, {kHost}));
  EXPECT_FALSE(find_option(Words{"--hos", "a"}, {kHost}));
  EXPECT_EQ(find_option(Words{"--hos", "a"}, {kHost, false, true})->value, "a");
}

}  // namespace
}  // namespace gpuharden
