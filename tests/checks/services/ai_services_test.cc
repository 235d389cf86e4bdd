// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using namespace std::string_view_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string cells(const RowText& row, std::initializer_list<std::string_view> names) {
  std::string out;
  for (const auto name : names) out += (out.empty() ? "" : " | ") + row.find(name)->second;
  return out;
}

constexpr auto kPasswd = "root:x:0:0::/root:/bin/bash\nml:x:1010:1010::/home/ml:/bin/bash\n";

void add_machine(Capture& capture) {
  capture.file("/etc/passwd", kPasswd)
      .link("/proc/1/ns/net", "net:[1]")
      .file("/proc/1/comm", "systemd\n")
      .file("/proc/1/cmdline", "/sbin/init\0"sv)
      .file("/proc/1/status", "PPid:\t0\n");
}

void add_process(Capture& capture, const std::string& pid, std::string_view arguments, std::string_view environment) {
  const std::string folder = "/proc/" + pid;
  capture.file(folder + "/cmdline", arguments)
      .file(folder + "/environ", environment)
      .file(folder + "/comm", "x\n")
      .file(folder + "/status", "PPid:\t1\nUid:\t1010\t1010\t1010\t1010\n")
      .file(folder + "/cgroup", "0::/system.slice/vllm.service\n")
      .link(folder + "/exe", "/usr/bin/python3.11")
      .link(folder + "/ns/net", "net:[1]");
}

TEST(AiServices, TellsHowAProcessWasStarted) {
  Capture capture;
  add_machine(capture);
  add_process(capture, "70",
              "/opt/v/bin/python3\0/opt/v/bin/vllm\0serve\0m\0--host\0"
              "127.0.0.1\0"sv,
              "VLLM_API_KEY=very-secret\0HF_HOME=/srv/hf\0"sv);
  capture.folder("/opt/v/lib/python3.11/site-packages/vllm-0.10.2.dist-info").folder("/srv/hf/hub");
  const auto table = read_table(*capture.open(), "ai_services");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(cells(table.rows[0], {"service", "pid", "unit", "user", "host_network", "address", "exposure", "port",
                                  "auth", "auth_name", "model_store"}),
            "vllm | 70 | vllm.service | ml | 1 | 127.0.0.1 | loopback | 8000 | set | VLLM_API_KEY | /srv/hf/hub");
  EXPECT_EQ(cells(table.rows[0], {"version", "version_source", "version_file"}),
            "0.10.2 | dist-info | /opt/v/lib/python3.11/site-packages/vllm-0.10.2.dist-info");
  for (const auto& [name, value] : table.rows[0]) EXPECT_THAT(value, testing::Not(HasSubstr("very-secret"))) << name;
}

TEST(AiServices, TakesNoVersionFromAClientOfThatName) {
  Capture capture;
  add_machine(capture);
  add_process(capture, "70", "/usr/local/bin/ollama\0serve\0"sv, "");
  capture.folder("/usr/local/lib/python3.11/dist-packages/ollama-0.99.0.dist-info");
  EXPECT_EQ(read_table(*capture.open(), "ai_services").where("service", "ollama").at("version"), "NULL");
}

TEST(AiServices, ReadsJupytersFilesInTheirOrder) {
  Capture capture;
  add_machine(capture);
  add_process(capture, "71", "/opt/v/bin/python3\0/opt/v/bin/jupyter-lab\0"sv, "HOME=/home/ml\0"sv);
  capture.file("/etc/jupyter/jupyter_server_config.py", "c.ServerApp.ip = '0.0.0.0'\nc.IdentityProvider.token = ''\n")
      .file("/home/ml/.jupyter/jupyter_server_config.json", R"({"ServerApp": {"ip": "127.0.0.1"}})");
  const auto table = read_table(*capture.open(), "ai_services");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(cells(table.rows[0], {"exposure", "address_file", "auth", "auth_name", "auth_file", "auth_line"}),
            "loopback | /home/ml/.jupyter/jupyter_server_config.json | disabled | IdentityProvider.token | "
            "/etc/jupyter/jupyter_server_config.py | 2");
}

TEST(AiServices, LeavesUnreadWhatAFileMaySet) {
  Capture capture;
  add_machine(capture);
  add_process(capture, "71", "/v/bin/python3\0/v/bin/jupyter-lab\0--ServerApp.token=x\0"sv, "HOME=/home/ml\0"sv);
  capture.file("/home/ml/.jupyter/jupyter_lab_config.py", "load_subconfig('more.py')\n");
  const auto table = read_table(*capture.open(), "ai_services");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(cells(table.rows[0], {"exposure", "auth", "auth_name"}), "UNREAD | set | --ServerApp.token");
  EXPECT_THAT(table.gap_words(), Contains("jupyter exposure unsupported"));
}

TEST(AiServices, IsAGapWhereProcessesAreHidden) {
  Capture capture;
  add_machine(capture);
  capture.file("/proc/9/cmdline", "x").yaml("paths: {/proc/9/cmdline: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "ai_services").gap_words(), Contains("* * permission"));
}

TEST(AiServices, SurvivesHostileArguments) {
  Capture capture;
  add_machine(capture);
  add_process(capture, "72", "tritonserver\0--http-address\0"sv, "=\0\0A\0\xFF=\xFE\0"sv);
  add_process(capture, "73", "ollama\0serve\0"sv, "OLLAMA_HOST=[\xFF]:99999999999\0"sv);
  EXPECT_EQ(read_table(*capture.open(), "ai_services").rows.size(), 2U);
}

TEST(AiServiceUnits, TellsWhatAUnitWouldStart) {
  Capture capture;
  capture.file("/etc/passwd", kPasswd)
      .file("/etc/default/vllm", "VLLM_ARGS=\"--host 0.0.0.0 --api-key topsecret\"\n")
      .file("/etc/systemd/system/vllm.service",
            "[Service]\nUser=ml\nEnvironmentFile=/etc/default/vllm\nExecStart=/usr/bin/env HF_HOME=/srv/hf "
            "/opt/v/bin/vllm serve m $VLLM_ARGS\n[Install]\nWantedBy=multi-user.target\n")
      .file("/etc/systemd/system/lab.service",
            "[Service]\nExecStart=/bin/sh -c 'cd /srv && exec jupyter lab --ip=0.0.0.0'\n")
      .file("/etc/systemd/system/ui.service",
            "[Service]\nEnvironment=WEBUI_AUTH=False\nExecStart=/opt/u/bin/open-webui serve\n")
      .file("/etc/systemd/system/other.service", "[Service]\nExecStart=/usr/bin/vllm-exporter\n")
      .link("/etc/systemd/system/multi-user.target.wants/vllm.service", "/etc/systemd/system/vllm.service");
  const auto table = read_table(*capture.open(), "ai_service_units");
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(
      cells(table.where("unit", "vllm.service"), {"startable", "user", "exposure", "auth", "auth_name", "model_store"}),
      "1 | ml | all | set | --api-key | /srv/hf/hub");
  EXPECT_EQ(cells(table.where("unit", "lab.service"), {"service", "exposure", "auth", "address_name"}),
            "jupyter | all | default | --ip");
  EXPECT_EQ(cells(table.where("unit", "ui.service"), {"auth", "auth_file", "auth_line"}),
            "disabled | /etc/systemd/system/ui.service | 2");
  EXPECT_THAT(table.gaps, IsEmpty());
}

// A key from a variable that nobody sets is none.
TEST(AiServiceUnits, ExpandsVariablesInAShellCommand) {
  Capture capture;
  capture
      .file("/etc/systemd/system/a.service",
            "[Service]\nEnvironment=KEY=s\nExecStart=/bin/bash -lc 'exec vllm serve m --api-key $KEY'\n")
      .file("/etc/systemd/system/b.service",
            "[Service]\nExecStart=/bin/bash -c 'cd /srv; vllm serve m --port 1 --api-key $KEY'\n");
  const auto table = read_table(*capture.open(), "ai_service_units");
  EXPECT_EQ(table.where("unit", "a.service").at("auth"), "set");
  EXPECT_EQ(table.where("unit", "b.service").at("auth"), "none");
}

TEST(AiServiceUnits, IsAGapWhereAVariableIsPassed) {
  Capture capture;
  capture.file("/etc/systemd/system/r.service",
               "[Service]\nPassEnvironment=RAY_AUTH_MODE\nExecStart=/usr/bin/ray start --head --block\n");
  EXPECT_THAT(read_table(*capture.open(), "ai_service_units").gap_words(), Contains("ray auth unsupported"));
}

}  // namespace
}  // namespace gpuharden::test
