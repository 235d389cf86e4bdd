// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/ai_services.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

std::string_view service_of(const ProcessIdentity& process) {
  const auto* service = find_service(process);
  return service == nullptr ? "none" : service->name;
}

TEST(FindService, LooksAtTheExecutable) {
  EXPECT_EQ(service_of({"ollama", "/usr/local/bin/ollama", {"/usr/local/bin/ollama", "serve"}}), "ollama");
  EXPECT_EQ(service_of({"nv-hostengine", "", {}}), "dcgm");
  EXPECT_EQ(service_of({"text-generation", "", {}}), "tgi");  // cut to 15 bytes
}

TEST(FindService, LooksAtWhatAnInterpreterRuns) {
  const std::string python = "/usr/bin/python3.11";
  EXPECT_EQ(service_of({"python3", python, {"python3", "-u", "-m", "vllm.entrypoints.openai.api_server"}}), "vllm");
  EXPECT_EQ(service_of({"vllm", python, {"/opt/venv/bin/python3", "/opt/venv/bin/vllm", "serve"}}), "vllm");
  EXPECT_EQ(service_of({"python3", python, {"python3", "/srv/ComfyUI/main.py", "--listen"}}), "comfyui");
  EXPECT_EQ(service_of({"python3", python, {"python3", "/v/ray/dashboard/agent.py"}}), "ray");
  EXPECT_EQ(service_of({"python3", python, {"python3", "-c", "import vllm"}}), "none");
  EXPECT_EQ(service_of({"python3", python, {"python3", "/srv/shop/dashboard/agent.py"}}), "none");
}

TEST(FindService, LooksAtProcessTitles) {
  EXPECT_EQ(service_of({"VLLM::Worker_TP", "/usr/bin/python3", {"VLLM::Worker_TP0"}}), "vllm");
  EXPECT_EQ(service_of({"ray::IDLE", "", {}}), "ray");
}

TEST(FindService, ComparesWholeNames) {
  EXPECT_EQ(service_of({"ollama-exporter", "/usr/bin/ollama-exporter", {"ollama-exporter"}}), "none");
  EXPECT_EQ(service_of({"ollama", "/usr/bin/perl", {"/usr/bin/perl", "x"}}), "none");
}

TEST(FindServiceByPort, OnlyTrustsPortsThatTell) {
  EXPECT_EQ(find_service_by_port(11434)->name, "ollama");
  EXPECT_EQ(find_service_by_port(52365)->name, "ray");
  EXPECT_EQ(find_service_by_port(8000), nullptr);
  EXPECT_EQ(find_service_by_port(6379), nullptr);
}

TEST(IsMainPort, BelievesTheCommandLine) {
  const auto& vllm = *find_service({"vllm", "", {}});
  EXPECT_TRUE(is_main_port(vllm, {}, 8000));
  EXPECT_FALSE(is_main_port(vllm, {}, 29500));
  EXPECT_TRUE(is_main_port(vllm, {"vllm", "serve", "--port", "9001"}, 9001));
  EXPECT_FALSE(is_main_port(vllm, {"vllm", "serve", "--port=9001"}, 8000));
}

}  // namespace
}  // namespace gpuharden
