// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/docker_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;

TEST(DockerOptions, FlattensTheFile) {
  EXPECT_THAT(*parse_daemon_json(R"({"hosts":["a","b"],"icc":false,"runtimes":{"x":{"path":"/p","runtimeArgs":[]}}})"),
              ElementsAre(DockerOption{"hosts", "a"}, DockerOption{"hosts", "b"}, DockerOption{"icc", "false"},
                          DockerOption{"runtimes.x.path", "/p"}));
  EXPECT_FALSE(parse_daemon_json("[]"));
  EXPECT_FALSE(parse_daemon_json("{\"a\":1}}"));
}

TEST(DockerOptions, ReadsTheCommandLine) {
  EXPECT_THAT(
      parse_dockerd_arguments({"-H", "fd://", "-Htcp://:1", "-H=tcp://:2", "--tlsverify", "--icc=false",
                               "--add-runtime", "nvidia=/usr/bin/n", "-D"}),
      ElementsAre(DockerOption{"hosts", "fd://"}, DockerOption{"hosts", "tcp://:1"}, DockerOption{"hosts", "tcp://:2"},
                  DockerOption{"tlsverify", "true"}, DockerOption{"icc", "false"},
                  DockerOption{"runtimes.nvidia.path", "/usr/bin/n"}, DockerOption{"debug", "true"}));
}

TEST(DockerDaemonProbe, ReadsTheFileThatTheUnitNames) {
  Capture capture;
  capture
      .file(
          "/etc/systemd/system/docker.service",
          "[Service]\nExecStart=/usr/bin/dockerd --config-file=/etc/mine.json\n[Install]\nWantedBy=multi-user.target\n")
      .file("/etc/docker/daemon.json", R"({"icc":false})")
      .file("/etc/mine.json", R"({"http-proxy":"http://u:p@proxy/","hosts":["tcp://:1"]})");
  const auto table = read_table(*capture.open(), "docker_daemon");
  EXPECT_EQ(table.where("name", "hosts").at("file"), "/etc/mine.json");
  EXPECT_EQ(table.where("name", "http-proxy").at("value"), "http://u:<redacted 1 bytes>@proxy/");
  EXPECT_FALSE(table.has("name", "icc"));
}

TEST(DockerDaemonProbe, IsAGapWhenTheFileCannotBeRead) {
  Capture capture;
  capture.file("/etc/docker/daemon.json", "{}").yaml("paths: {/etc/docker/daemon.json: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "docker_daemon").gap_words(), ElementsAre("* * permission"));
}

TEST(ContainersProbe, PassesOverAFolderThatIsGone) {
  Capture capture;
  capture.folder("/var/lib/docker/containers/abc");
  const auto table = read_table(*capture.open(), "containers");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_TRUE(table.gaps.empty());
}

TEST(ContainersProbe, IsAGapWhenOneOfTheTwoFilesIsMissing) {
  Capture capture;
  capture.file("/var/lib/docker/containers/abc/hostconfig.json", "{}");
  EXPECT_THAT(read_table(*capture.open(), "containers").gap_words(),
              ElementsAre("/var/lib/docker/containers/abc/hostconfig.json * not-found"));
}

}  // namespace
}  // namespace gpuharden::test
