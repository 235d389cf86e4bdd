// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kTorch = "__version__ = '2.8.0+cu128'\ncuda: Optional[str] = '12.8'\nhip: Optional[str] = None\n";

class PythonEnvironmentsProbe : public testing::Test {
 protected:
  PythonEnvironmentsProbe() {
    capture_.file("/proc/devices", "Character devices:\n195 nvidia\n")
        .file("/proc/1/comm", "systemd\n")
        .file("/etc/passwd", "root:x:0:0::/root:/bin/bash\nalice:x:1004:1004::/home/alice:/bin/bash\n");
  }
  std::vector<std::string> places() {
    std::vector<std::string> found;
    for (const auto& row : read_table(*capture_.open(), "python_environments").rows)
      found.push_back(row.at("source") + " " + row.at("site_packages"));
    return found;
  }
  Capture capture_;
};

TEST_F(PythonEnvironmentsProbe, AreFoundInKnownPlaces) {
  for (const auto* folder :
       {"/usr/lib/python3/dist-packages", "/usr/local/lib/python3.12/dist-packages",
        "/opt/a/lib/python3.12/site-packages", "/srv/b/.venv/lib/python3.12/site-packages",
        "/opt/conda/envs/llm/lib/python3.11/site-packages", "/home/alice/.local/lib/python3.12/site-packages",
        "/home/alice/deep/er/venv/lib/python3.12/site-packages"}) {
    capture_.folder(folder);
  }
  EXPECT_THAT(
      places(),
      ElementsAre("system /usr/lib/python3/dist-packages", "system /usr/local/lib/python3.12/dist-packages",
                  "opt /opt/a/lib/python3.12/site-packages", "opt /opt/conda/envs/llm/lib/python3.11/site-packages",
                  "opt /srv/b/.venv/lib/python3.12/site-packages",
                  "home /home/alice/.local/lib/python3.12/site-packages"));
}

TEST_F(PythonEnvironmentsProbe, AreFoundByUnitsAndProcesses) {
  capture_.folder("/data/x/venv/lib/python3.12/site-packages")
      .file("/etc/systemd/system/x.service", "[Service]\nExecStart=/data/x/venv/bin/serve\n")
      .file("/proc/700/comm", "python3\n")
      .file("/proc/700/status", "PPid:\t1\nUid:\t1004\t1004\t1004\t1004\n")
      .file("/proc/700/maps", "1-2 r-xp 0 0:0 2 /data/y/lib/python3.12/site-packages/torch/lib/libtorch.so\n")
      .file("/data/y/lib/python3.12/site-packages/torch/version.py", kTorch)
      .link("/proc/700/fd/4", "/dev/nvidia0");
  EXPECT_THAT(places(), ElementsAre("unit /data/x/venv/lib/python3.12/site-packages",
                                    "process /data/y/lib/python3.12/site-packages"));
  const auto table = read_table(*capture_.open(), "python_environments");
  const auto& used = table.where("source", "process");
  EXPECT_EQ(used.at("used_by"), "[1004]");
  EXPECT_EQ(used.at("prefix"), "/data/y");
  EXPECT_EQ(used.at("torch_version"), "2.8.0+cu128");
  EXPECT_EQ(used.at("torch_cuda"), "12.8");
  EXPECT_EQ(used.at("torch_hip"), "NULL");
}

TEST_F(PythonEnvironmentsProbe, OfContainersAreReadInTheirRoot) {
  const std::string site = "/usr/local/lib/python3.12/site-packages";
  capture_.file("/proc/700/comm", "python3\n")
      .file("/proc/700/status", "PPid:\t1\nUid:\t0\t0\t0\t0\n")
      .file("/proc/700/maps", "1-2 r-xp 0 0:0 2 " + site + "/torch/lib/libtorch.so\n")
      .file("/containers/c1" + site + "/torch/version.py", kTorch)
      .folder("/containers/c1" + site + "/vllm-0.10.2.dist-info")
      .folder(site + "/vllm-0.9.0.dist-info")
      .link("/proc/700/root", "/containers/c1")
      .link("/proc/700/fd/4", "/dev/nvidia0");
  const auto host = capture_.open();
  const auto environments = read_table(*host, "python_environments");
  ASSERT_EQ(environments.rows.size(), 2U);
  EXPECT_EQ(environments.where("container", "/containers/c1").at("torch_cuda"), "12.8");
  const auto packages = read_table(*host, "python_packages");
  ASSERT_EQ(packages.rows.size(), 2U);
  EXPECT_EQ(packages.where("container", "/containers/c1").at("version"), "0.10.2");
  EXPECT_EQ(packages.where("container", "NULL").at("version"), "0.9.0");
}

TEST_F(PythonEnvironmentsProbe, TellWhoCanChangeThem) {
  capture_.folder("/opt/a/lib/python3.12/site-packages")
      .file("/opt/a/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.12.3\n")
      .yaml("paths: {/opt/a/lib: {mode: \"0777\"}}");
  const auto table = read_table(*capture_.open(), "python_environments");
  const auto& row = table.where("prefix", "/opt/a");
  EXPECT_EQ(row.at("changeable_by"), "/opt/a/lib is world-writable (0777)");
  EXPECT_EQ(row.at("is_virtual"), "1");
  EXPECT_EQ(row.at("base_python"), "/usr/bin");
  EXPECT_EQ(row.at("uses_system_packages"), "1");
  EXPECT_EQ(row.at("torch_version"), "NULL");
}

TEST_F(PythonEnvironmentsProbe, HaveGapsForWhatCannotBeRead) {
  capture_.file("/opt/a/lib/python3.12/site-packages/torch/version.py", "\xff\xfe")
      .folder("/opt/b/lib/python3.12/site-packages")
      .yaml("paths:\n  /home/alice: {error: remote}\n  /opt/b/lib/python3.12/site-packages: {error: permission}\n");
  const auto table = read_table(*capture_.open(), "python_environments");
  EXPECT_EQ(table.where("prefix", "/opt/a").at("torch_version"), "UNREAD");
  EXPECT_THAT(table.gap_words(), Contains("* * remote"));
  EXPECT_THAT(table.gap_words(), Contains("* * permission"));
}

TEST_F(PythonEnvironmentsProbe, AreReadInAnImage) {
  capture_.folder("/opt/a/lib/python3.12/site-packages/vllm-0.10.2.dist-info");
  const auto table = read_table(*capture_.open_image(), "python_packages");
  EXPECT_EQ(table.where("name", "vllm").at("version"), "0.10.2");
  EXPECT_THAT(table.gaps, IsEmpty());
}

// Conda and data sets in /opt: names are known, so that nothing is walked (C183).
TEST_F(PythonEnvironmentsProbe, DoNotWalkThroughFolders) {
  for (int i = 0; i < 300; ++i) capture_.folder("/opt/part" + std::to_string(i));
  EXPECT_THAT(read_table(*capture_.open(), "python_environments").gap_words(), ElementsAre("* * too-large"));
}

TEST_F(PythonEnvironmentsProbe, ShowHooks) {
  const std::string site = "/opt/a/lib/python3.12/site-packages";
  capture_.file(site + "/x.pth", "import os; exec('')\nsrc\n")
      .file(site + "/sitecustomize.py", "import socket\n")
      .file(site + "/usercustomize.cpython-312-x86_64-linux-gnu.so", "ELF")
      .file(site + "/empty.pth", "# nothing\n");
  const auto table = read_table(*capture_.open(), "python_hooks");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.where("kind", "import").at("risky_words"), R"(["exec"])");
  EXPECT_EQ(table.where("kind", "path").at("path_value"), site + "/src");
  EXPECT_EQ(table.where("name", "sitecustomize.py").at("risky_words"), R"(["socket"])");
  EXPECT_EQ(table.where("name", "usercustomize.cpython-312-x86_64-linux-gnu.so").at("risky_words"), "NULL");
}

}  // namespace
}  // namespace gpuharden::test
