// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/ai_services.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The kernel cuts command names to this many bytes.
constexpr std::size_t kNameLength = 15;

template <std::size_t kSize>
using Names = std::array<std::string_view, kSize>;
template <std::size_t kSize>
using Ports = std::array<std::uint16_t, kSize>;

constexpr Names<2> kOllama = {"ollama", "ollama-linux-amd64"};
constexpr Ports<1> kOllamaPorts = {11434};
constexpr Names<9> kJupyter = {"jupyter",        "jupyter-lab", "jupyter-notebook",
                               "jupyter-server", "jupyterhub",  "jupyterhub-singleuser",
                               "jupyterlab",     "notebook",    "ipykernel_launcher"};
constexpr Ports<1> kJupyterPorts = {8888};
constexpr Names<1> kVllm = {"vllm"};
constexpr Ports<1> kVllmPorts = {8000};
constexpr Names<1> kSglang = {"sglang"};
constexpr Ports<1> kSglangPorts = {30000};
constexpr Names<3> kTgi = {"text-generation-launcher", "text-generation-router", "text-generation-server"};
constexpr Ports<3> kTgiPorts = {3000, 80, 9000};
constexpr Names<3> kLlamaServer = {"llama-server", "llama_cpp.server", "llama_cpp"};
constexpr Ports<1> kLlamaServerPorts = {8080};
constexpr Names<2> kLlamaRpc = {"rpc-server", "ggml-rpc-server"};
constexpr Ports<1> kLlamaRpcPorts = {50052};
constexpr Names<2> kTriton = {"tritonserver", "triton_python_backend_stub"};
constexpr Ports<3> kTritonPorts = {8000, 8001, 8002};
constexpr Names<8> kRay = {"ray",
                           "raylet",
                           "gcs_server",
                           "ray/dashboard/dashboard.py",
                           "ray/dashboard/agent.py",
                           "ray/_private/log_monitor.py",
                           "ray/autoscaler/_private/monitor.py",
                           "ray.util.client.server"};
constexpr Ports<5> kRayPorts = {8265, 6379, 10001, 8076, 52365};
constexpr Ports<2> kRayTellingPorts = {8265, 52365};
constexpr Names<1> kComfyUi = {"comfyui"};
constexpr Ports<1> kComfyUiPorts = {8188};
constexpr Names<2> kOpenWebUi = {"open-webui", "open_webui"};
constexpr Ports<2> kOpenWebUiPorts = {8080, 3000};
constexpr Names<1> kLocalAi = {"local-ai"};
constexpr Names<1> kLiteLlm = {"litellm"};
constexpr Ports<1> kLiteLlmPorts = {4000};
constexpr Names<1> kMlflow = {"mlflow"};
constexpr Ports<1> kMlflowPorts = {5000};
constexpr Names<1> kTensorBoard = {"tensorboard"};
constexpr Ports<1> kTensorBoardPorts = {6006};
constexpr Names<1> kGradio = {"gradio"};
constexpr Ports<1> kGradioPorts = {7860};
constexpr Names<1> kQdrant = {"qdrant"};
constexpr Ports<3> kQdrantPorts = {6333, 6334, 6335};
constexpr Names<1> kMilvus = {"milvus"};
constexpr Ports<2> kMilvusPorts = {19530, 9091};
constexpr Names<1> kWeaviate = {"weaviate"};
constexpr Names<2> kChroma = {"chroma", "chromadb"};
constexpr Names<1> kTorchServe = {"torchserve"};
constexpr Ports<5> kTorchServePorts = {8080, 8081, 8082, 7070, 7071};
constexpr Names<2> kTfServing = {"tensorflow_model_server", "tf_serving_entrypoint.sh"};
constexpr Ports<2> kTfServingPorts = {8500, 8501};
constexpr Names<1> kDask = {"dask-scheduler"};
constexpr Ports<2> kDaskPorts = {8786, 8787};
constexpr Names<3> kTorchrun = {"torchrun", "torch.distributed.run", "torch.distributed.launch"};
constexpr Ports<2> kTorchrunPorts = {29400, 29500};
constexpr Names<2> kDcgm = {"nv-hostengine", "nvhostengine"};
constexpr Ports<1> kDcgmPorts = {5555};
constexpr Names<1> kDcgmExporter = {"dcgm-exporter"};
constexpr Ports<1> kDcgmExporterPorts = {9400};
constexpr Names<1> kFabricManager = {"nv-fabricmanager"};
constexpr Ports<2> kFabricManagerPorts = {6666, 16000};
constexpr Names<1> kImex = {"nvidia-imex"};
constexpr Ports<1> kImexPorts = {50000};
constexpr Names<2> kRdc = {"rdcd", "device-metrics-exporter"};
constexpr Names<1> kDocker = {"dockerd"};
constexpr Ports<2> kDockerPorts = {2375, 2376};
constexpr Names<2> kKubelet = {"kubelet", "k3s"};
constexpr Ports<2> kKubeletPorts = {10250, 10255};

constexpr std::array<AiService, 32> kServices = {{
    {"ollama", "inference", kOllama, "", kOllamaPorts, true, "ollama"},
    {"jupyter", "notebook", kJupyter, "", kJupyterPorts, true, ""},
    {"vllm", "inference", kVllm, "VLLM::", kVllmPorts, false, "vllm"},
    {"sglang", "inference", kSglang, "sglang::", kSglangPorts, false, ""},
    {"tgi", "inference", kTgi, "", kTgiPorts, false, ""},
    {"llama-server", "inference", kLlamaServer, "", kLlamaServerPorts, false, ""},
    {"llama-rpc", "inference", kLlamaRpc, "", kLlamaRpcPorts, true, ""},
    {"triton", "inference", kTriton, "", kTritonPorts, false, "triton-server"},
    {"ray", "cluster", kRay, "ray::", kRayPorts, false, "ray"},
    {"comfyui", "application", kComfyUi, "", kComfyUiPorts, true, ""},
    {"open-webui", "application", kOpenWebUi, "", kOpenWebUiPorts, false, ""},
    {"localai", "inference", kLocalAi, "", kLlamaServerPorts, false, ""},
    {"litellm", "inference", kLiteLlm, "", kLiteLlmPorts, false, ""},
    {"mlflow", "tracking", kMlflow, "", kMlflowPorts, false, "mlflow"},
    {"tensorboard", "tracking", kTensorBoard, "", kTensorBoardPorts, true, ""},
    {"gradio", "application", kGradio, "", kGradioPorts, true, ""},
    {"qdrant", "vector-store", kQdrant, "", kQdrantPorts, true, "qdrant"},
    {"milvus", "vector-store", kMilvus, "", kMilvusPorts, false, "milvus"},
    {"weaviate", "vector-store", kWeaviate, "", kLlamaServerPorts, false, ""},
    {"chroma", "vector-store", kChroma, "", kVllmPorts, false, ""},
    {"torchserve", "inference", kTorchServe, "", kTorchServePorts, false, ""},
    {"tensorflow-serving", "inference", kTfServing, "", kTfServingPorts, false, ""},
    {"dask", "cluster", kDask, "", kDaskPorts, false, ""},
    {"torchrun", "cluster", kTorchrun, "", kTorchrunPorts, true, ""},
    {"dcgm", "monitoring", kDcgm, "", kDcgmPorts, true, "nvidia-dcgm"},
    {"dcgm-exporter", "monitoring", kDcgmExporter, "", kDcgmExporterPorts, true, ""},
    {"fabric-manager", "monitoring", kFabricManager, "", kFabricManagerPorts, false, ""},
    {"imex", "monitoring", kImex, "", kImexPorts, false, ""},
    {"rdc", "monitoring", kRdc, "", kLlamaRpcPorts, false, "rdc"},
    {"docker-api", "control", kDocker, "", kDockerPorts, true, ""},
    {"kubelet", "control", kKubelet, "", kKubeletPorts, true, ""},
    {"ray", "cluster", {}, "", kRayTellingPorts, true, ""},
}};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view without_suffix(std::string_view text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

bool is_interpreter(std::string_view program) {
  return program.starts_with("python") || program.starts_with("pypy") || program == "node" || program == "uv" ||
         program == "sh" || program == "bash" || program == "dash";
}

// "python3 -u -m vllm.entrypoints.openai.api_server …" gives the place of the module, "python3 /opt/x/main.py …" that
// of the script; nothing for "-c" and where there is none.
std::optional<std::size_t> place_of_interpreted(const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == "-m") return i + 1 < arguments.size() ? std::optional(i + 1) : std::nullopt;
    if (argument == "-c") return std::nullopt;
    if (argument == "-W" || argument == "-X") {
      ++i;
    } else if (!argument.starts_with("-")) {
      return i;
    }
  }
  return std::nullopt;
}

// Whether a script path or module name is one of the programs: vllm.entrypoints.x is vllm, and so
// are /opt/venv/bin/vllm and /srv/ComfyUI/main.py (by its folder). A program with a slash is the end
// of a path.
bool is_script_of(std::string_view script, std::string_view program) {
  if (program.find('/') != std::string_view::npos) return script.ends_with(concat({"/", program}));
  if (script == program || script.starts_with(concat({program, "."}))) return true;
  const auto file = base_name(script);
  if (file == program || without_suffix(file, ".py") == program) return true;
  if (file != "main.py" && file != "app.py" && file != "__main__.py") return false;
  const auto folder = script.substr(0, script.size() - std::min(script.size(), file.size() + 1));
  return equals_ignore_case(base_name(folder), program);
}

// "uvicorn open_webui.main:app": the application that an application server is given.
bool is_served(const std::vector<std::string>& arguments, std::size_t server, std::string_view program) {
  const auto name = base_name(arguments[server]);
  if (name != "uvicorn" && name != "gunicorn" && name != "hypercorn") return false;
  return std::any_of(arguments.begin() + static_cast<std::ptrdiff_t>(server) + 1, arguments.end(),
                     [&](const std::string& argument) {
                       return argument.find(':') != std::string::npos && argument.starts_with(concat({program, "."}));
                     });
}

bool runs(const ProcessIdentity& process, std::string_view program) {
  const std::string_view first = process.arguments.empty() ? std::string_view() : process.arguments[0];
  if (base_name(process.executable) == program || base_name(first) == program) return true;
  // A program may rename itself at will: its name counts where the kernel does not tell the executable.
  if (process.executable.empty() && process.name == program.substr(0, kNameLength)) return true;
  if (!is_interpreter(base_name(process.executable)) && !is_interpreter(base_name(first))) return false;
  const auto script = place_of_interpreted(process.arguments);
  if (!script) return false;
  return is_script_of(process.arguments[*script], program) || is_served(process.arguments, *script, program);
}

bool is_of(const ProcessIdentity& process, const AiService& service) {
  if (!service.title_prefix.empty()) {
    if (process.name.starts_with(service.title_prefix)) return true;
    if (!process.arguments.empty() && process.arguments[0].starts_with(service.title_prefix)) return true;
  }
  return std::any_of(service.programs.begin(), service.programs.end(),
                     [&](std::string_view program) { return runs(process, program); });
}

// "--port", "--port=9", "-p", "--server-port": the value, if the argument is one of them.
std::optional<std::string_view> port_argument(const std::vector<std::string>& arguments, std::size_t at) {
  static constexpr std::array<std::string_view, 9> kOptions = {
      "--port",        "-p", "--http-port",      "--server-port",     "--dashboard-port",
      "--listen-port", "-P", "--ServerApp.port", "--NotebookApp.port"};
  for (const auto option : kOptions) {
    if (arguments[at] == option && at + 1 < arguments.size()) return arguments[at + 1];
    if (arguments[at].starts_with(concat({option, "="})))
      return std::string_view(arguments[at]).substr(option.size() + 1);
  }
  return std::nullopt;
}

template <typename Predicate>
const AiService* find_service_if(Predicate matches) {
  const auto found = std::find_if(kServices.begin(), kServices.end(), matches);
  return found == kServices.end() ? nullptr : &*found;
}

}  // namespace

const AiService* find_service(const ProcessIdentity& process) {
  return find_service_if([&](const AiService& service) { return is_of(process, service); });
}

std::span<const std::string> program_arguments(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  const auto script =
      is_interpreter(base_name(arguments[0])) ? place_of_interpreted(arguments) : std::optional<std::size_t>();
  return std::span(arguments).subspan(script.value_or(0) + 1);
}

const AiService* find_service_by_port(std::uint16_t port) {
  return find_service_if([&](const AiService& service) {
    return service.ports_are_telling &&
           std::find(service.ports.begin(), service.ports.end(), port) != service.ports.end();
  });
}

const AiService* find_service_by_account(std::string_view account) {
  return find_service_if([&](const AiService& service) { return !account.empty() && service.account == account; });
}

bool is_main_port(const AiService& service, const std::vector<std::string>& arguments, std::uint16_t port) {
  bool is_told = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto value = port_argument(arguments, i);
    const auto number = value ? parse_unsigned(*value) : std::nullopt;
    if (!number) continue;
    is_told = true;
    if (*number == port) return true;
  }
  return !is_told && std::find(service.ports.begin(), service.ports.end(), port) != service.ports.end();
}

}  // namespace gpuharden
