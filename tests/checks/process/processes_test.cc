// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using std::string_literals::operator""s;

constexpr const char* kGpuDrivers = "Character devices:\n195 nvidia\n";

TEST(ProcessesProbe, TellsWhatAProcessIs) {
  Capture capture;
  capture.file("/proc/devices", kGpuDrivers)
      .file("/proc/1/comm", "systemd\n")
      .file("/proc/700/comm", "ollama\n")
      .file("/proc/700/cmdline", "/usr/local/bin/ollama\0serve\0--token\0abc\0"s)
      .file("/proc/700/status",
            "PPid:\t1\nUid:\t998\t998\t998\t998\nGid:\t998\t998\t998\t998\nGroups:\t44 109\nSeccomp:\t0\n")
      .file("/proc/700/cgroup", "0::/system.slice/ollama.service\n")
      .yaml(R"yaml(paths:
  /proc/1/ns/net: {link: "net:[4026531840]"}
  /proc/700/ns/net: {link: "net:[4026531840]"}
  /proc/700/exe: {link: "/usr/local/bin/ollama (deleted)"}
  /proc/700/fd/3: {link: "socket:[55501]"}
  /proc/700/fd/4: {link: /dev/nvidia0}
  /proc/700/fd/5: {link: /dev/nvidiactl}
)yaml");
  const auto table = read_table(*capture.open(), "processes");
  const auto& row = table.where("pid", "700");
  EXPECT_EQ(row.at("exe"), "/usr/local/bin/ollama");
  EXPECT_EQ(row.at("exe_deleted"), "1");
  EXPECT_EQ(row.at("cmdline"), R"(["/usr/local/bin/ollama","serve","--token","<redacted 3 bytes>"])");
  EXPECT_EQ(row.at("uid"), "998");
  EXPECT_EQ(row.at("groups"), "[44,109]");
  EXPECT_EQ(row.at("unit"), "ollama.service");
  EXPECT_EQ(row.at("same_net_namespace"), "1");
  EXPECT_EQ(row.at("gpu_handles"), "2");
  EXPECT_EQ(row.at("gpu_devices"), R"(["/dev/nvidia0","/dev/nvidiactl"])");
  EXPECT_EQ(row.at("is_kernel_thread"), "0");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(ProcessesProbe, KnowsKernelThreads) {
  Capture capture;
  capture.file("/proc/devices", "").file("/proc/2/comm", "kthreadd\n").file("/proc/2/status", "PPid:\t0\n");
  capture.file("/proc/9/comm", "kworker/0:1\n").file("/proc/9/status", "PPid:\t2\n");
  const auto table = read_table(*capture.open(), "processes");
  EXPECT_EQ(table.where("pid", "9").at("is_kernel_thread"), "1");
  EXPECT_EQ(table.where("pid", "9").at("exe"), "NULL");
  EXPECT_EQ(table.where("pid", "9").at("gpu_handles"), "0");
}

TEST(ProcessesProbe, HasOneGapAColumnWithoutRoot) {
  Capture capture;
  capture.file("/proc/devices", kGpuDrivers)
      .file("/proc/1/comm", "systemd\n")
      .file("/proc/5/comm", "a\n")
      .yaml(
          "privileged: false\npaths:\n  /proc/1/fd: {error: permission}\n  /proc/5/fd: {error: permission}\n"
          "  /proc/1/exe: {error: permission}\n  /proc/5/exe: {error: permission}\n");
  const auto table = read_table(*capture.open(), "processes");
  EXPECT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.gap_words(), ElementsAre("* exe permission", "* exe_deleted permission", "* gpu_devices permission",
                                             "* gpu_handles permission"));
}

TEST(ProcessesProbe, IsAGapWhenProcessesAreHidden) {
  Capture capture;
  capture.file("/proc/devices", "").file("/proc/77/comm", "mine\n").yaml("privileged: false");
  EXPECT_THAT(read_table(*capture.open(), "processes").gap_words(), ElementsAre("* * permission"));
}

TEST(ProcessesProbe, AreNotHeldByAnImage) {
  Capture capture;
  capture.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture.open_image(), "processes").gap_words(), testing::Contains("* * not-held"));
}

class ProcessEnvironmentProbe : public testing::Test {
 protected:
  ProcessEnvironmentProbe() {
    capture_.file("/proc/devices", kGpuDrivers)
        .file("/proc/1/comm", "systemd\n")
        .file("/proc/700/comm", "python3\n")
        .file("/proc/700/status", "PPid:\t1\nUid:\t1010\t1010\t1010\t1010\n");
  }
  void environment(const std::string& text) { capture_.file("/proc/700/environ", text); }
  Capture capture_;
};

TEST_F(ProcessEnvironmentProbe, TellsWhoCanChangeWhatIsLoaded) {
  environment("HOME=/root\0CUDA_INJECTION64_PATH=/tmp/lib.so\0LD_LIBRARY_PATH=/opt/rocm/lib:\0HF_TOKEN=hf_abc\0"s);
  capture_.folder("/opt/rocm/lib").yaml(R"(paths:
  /tmp: {type: directory, mode: "1777"}
  /proc/700/fd/4: {link: /dev/nvidia0}
)");
  const auto table = read_table(*capture_.open(), "process_environment");
  ASSERT_EQ(table.rows.size(), 4U);
  const auto& injection = table.where("name", "CUDA_INJECTION64_PATH");
  EXPECT_EQ(injection.at("kind"), "injection");
  EXPECT_EQ(injection.at("path_exists"), "0");
  EXPECT_EQ(injection.at("path_changeable_by"), "/tmp is world-writable (1777)");
  EXPECT_EQ(table.where("path_value", "/opt/rocm/lib").at("path_changeable_by"), "NULL");
  EXPECT_EQ(table.where("path_value", "").at("path_is_relative"), "1");
  EXPECT_EQ(table.where("name", "HF_TOKEN").at("value"), "<redacted 6 bytes>");
}

TEST_F(ProcessEnvironmentProbe, ReadsPathsInTheRootOfTheProcess) {
  environment("LD_PRELOAD=/lib/a.so\0"s);
  capture_.file("/containers/c1/lib/a.so", "x").yaml(R"(paths:
  /containers/c1/lib: {mode: "0777"}
  /proc/700/root: {link: /containers/c1}
  /proc/700/fd/4: {link: /dev/kfd}
)");
  const auto table = read_table(*capture_.open(), "process_environment");
  EXPECT_EQ(table.rows.at(0).at("path_exists"), "1");
  EXPECT_EQ(table.rows.at(0).at("path_changeable_by"), "/lib is world-writable (0777)");
}

TEST_F(ProcessEnvironmentProbe, LeavesOtherProcessesAlone) {
  environment("LD_PRELOAD=/lib/a.so\0"s);
  const auto table = read_table(*capture_.open(), "process_environment");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST_F(ProcessEnvironmentProbe, IsAGapWhenItCannotBeRead) {
  environment("");
  capture_.yaml("paths:\n  /proc/700/fd/4: {link: /dev/kfd}\n  /proc/700/environ: {error: permission}\n");
  EXPECT_THAT(read_table(*capture_.open(), "process_environment").gap_words(), ElementsAre("700 * permission"));
}

}  // namespace
}  // namespace gpuharden::test
