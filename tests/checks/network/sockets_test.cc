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
using std::string_literals::operator""s;

constexpr const char* kHeader =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
constexpr const char* kPasswd = "root:x:0:0::/root:/bin/bash\nollama:x:998:998::/usr/share/ollama:/bin/false\n";

std::string listener(std::string_view address, std::string_view uid, std::string_view inode) {
  return "   0: " + std::string(address) + " 00000000:0000 0A 00000000:00000000 00:00000000 00000000   " +
         std::string(uid) + "        0 " + std::string(inode) + " 1 0000000000000000 100 0 0 10 0\n";
}

class ListeningSocketsProbe : public testing::Test {
 protected:
  ListeningSocketsProbe() {
    capture_.file("/etc/passwd", kPasswd)
        .file("/proc/devices", "Character devices:\n195 nvidia\n")
        .file("/proc/1/comm", "systemd\n");
  }
  void proc_net(const std::string& tcp, const std::string& tcp6) {
    capture_.file("/proc/net/tcp", kHeader + tcp)
        .file("/proc/net/tcp6", kHeader + tcp6)
        .file("/proc/net/udp", kHeader)
        .file("/proc/net/udp6", kHeader);
  }
  Capture capture_;
};

// C50: the kernel says whether [::] takes IPv4 too.
TEST_F(ListeningSocketsProbe, KnowsWhichFamiliesAWildcardTakes) {
  capture_.yaml(R"(tcp:
  - {address: "::", port: 11434, uid: 998, inode: 1}
  - {address: "::", port: 8888, inode: 2, v6only: true}
  - {address: 127.0.0.1, port: 8888, inode: 3}
  - {address: "::ffff:10.0.0.5", port: 80, inode: 4}
udp: []
)");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  const auto& both = table.where("socket", "tcp6 [::]:11434");
  EXPECT_EQ(both.at("on_ipv4"), "1");
  EXPECT_EQ(both.at("on_ipv6"), "1");
  EXPECT_EQ(both.at("v6only_source"), "kernel");
  EXPECT_EQ(table.where("inode", "2").at("on_ipv4"), "0");
  EXPECT_EQ(table.where("inode", "3").at("exposure"), "loopback");
  EXPECT_EQ(table.where("inode", "4").at("on_ipv4"), "1");
  EXPECT_EQ(table.where("inode", "4").at("on_ipv6"), "0");
}

// C50 on a kernel without sock_diag: the exposure is known, V6ONLY is not.
TEST_F(ListeningSocketsProbe, DoesNotGuessV6OnlyOfARunningKernel) {
  proc_net("", listener("00000000000000000000000000000000:2CAA", "998", "2000"));
  const auto table = read_table(*capture_.open(), "listening_sockets");
  const auto& row = table.where("port", "11434");
  EXPECT_EQ(row.at("exposure"), "wildcard");
  EXPECT_EQ(row.at("on_ipv6"), "1");
  EXPECT_EQ(row.at("v6only"), "UNREAD");
  EXPECT_THAT(table.gap_words(),
              ElementsAre("tcp6 [::]:11434 on_ipv4 unsupported", "tcp6 [::]:11434 v6only unsupported"));
}

// sshd on a kernel without sock_diag: whatever [::]:22 takes, IPv4 clients reach the port.
TEST_F(ListeningSocketsProbe, TakesIPv4ForReachedWhereAnotherSocketHasThePort) {
  proc_net(listener("00000000:0016", "0", "2001") + listener("0100007F:2CAA", "998", "2003"),
           listener("00000000000000000000000000000000:0016", "0", "2002") +
               listener("00000000000000000000000000000000:2CAA", "998", "2004"));
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.where("inode", "2002").at("on_ipv4"), "1");
  EXPECT_EQ(table.where("inode", "2002").at("v6only"), "UNREAD");
  EXPECT_EQ(table.where("inode", "2004").at("on_ipv4"), "UNREAD");
}

// C50 in an image: an assumption that calls itself one.
TEST_F(ListeningSocketsProbe, AssumesTheDefaultInAnImage) {
  proc_net("", listener("00000000000000000000000000000000:2CAA", "998", "2000"));
  capture_.file("/etc/os-release", "ID=debian\n").file("/proc/sys/net/ipv6/bindv6only", "0\n");
  const auto table = read_table(*capture_.open_image(), "listening_sockets");
  EXPECT_EQ(table.where("port", "11434").at("on_ipv4"), "1");
  EXPECT_EQ(table.where("port", "11434").at("v6only_source"), "assumed");
}

TEST_F(ListeningSocketsProbe, AreNotHeldByAnImageWithoutThem) {
  capture_.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*capture_.open_image(), "listening_sockets").gap_words(), Contains("* * not-held"));
}

// C52.
TEST_F(ListeningSocketsProbe, ReadsLinkLocalAddressesWhole) {
  proc_net("", listener("000080FE000000000000000001000000:1F90", "0", "2001"));
  EXPECT_EQ(read_table(*capture_.open(), "listening_sockets").rows.at(0).at("socket"), "tcp6 [fe80::1]:8080");
}

// C53: the port that ssh has, whatever its configuration says.
TEST_F(ListeningSocketsProbe, TellsTheServiceBeforeTheManagerThatHandedTheSocketOver) {
  proc_net(listener("0500140A:08AE", "0", "2000"), "");
  capture_.file("/proc/800/comm", "sshd\n").yaml(R"(paths:
  /proc/1/fd/40: {link: "socket:[2000]"}
  /proc/800/fd/3: {link: "socket:[2000]"}
)");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.where("port", "2222").at("process"), "sshd");
  EXPECT_EQ(table.where("port", "2222").at("address"), "10.20.0.5");
}

// C57: the row stays, and says that its owner is not known.
TEST_F(ListeningSocketsProbe, KeepsSocketsWhoseProcessItMayNotSee) {
  proc_net(listener("00000000:2CAA", "998", "55501") + listener("00000000:1F90", "1000", "55502"), "");
  capture_.file("/proc/700/comm", "ollama\n").yaml("privileged: false\npaths: {/proc/700/fd: {error: permission}}\n");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  const auto& row = table.where("port", "11434");
  EXPECT_EQ(row.at("pid"), "UNREAD");
  EXPECT_EQ(row.at("owner"), "unknown");
  EXPECT_EQ(row.at("user_name"), "ollama");
  EXPECT_EQ(row.at("service"), "ollama");
  EXPECT_EQ(row.at("service_source"), "user");
  EXPECT_EQ(table.where("port", "8080").at("service"), "UNREAD");
  EXPECT_THAT(table.gap_words(), Contains("tcp 0.0.0.0:8080 pid permission"));
}

TEST_F(ListeningSocketsProbe, KnowsTheKernelsOwnSockets) {
  proc_net(listener("00000000:0801", "0", "3000"), "");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.rows.at(0).at("owner"), "none");
  EXPECT_EQ(table.rows.at(0).at("pid"), "NULL");
  EXPECT_THAT(table.gaps, IsEmpty());
}

// C58: a worker's random ports belong to the server, and to the GPU.
TEST_F(ListeningSocketsProbe, FindsTheExtraPortsOfAServer) {
  proc_net(listener("0100007F:1F40", "1010", "7001") + listener("00000000:96EF", "1010", "7002"),
           listener("00000000000000000000000000000000:733C", "1010", "7003"));
  capture_.file("/proc/7000/comm", "vllm\n")
      .file("/proc/7000/cmdline",
            "/opt/venv/bin/python3\0/opt/venv/bin/vllm\0serve\0--host\000127.0.0.1\0--port\0008000\0"s)
      .file("/proc/7000/status", "PPid:\t1\n")
      .file("/proc/7777/comm", "VLLM::Worker_TP\n")
      .file("/proc/7777/cmdline", "VLLM::Worker_TP0\0\0\0"s)
      .file("/proc/7777/status", "PPid:\t7000\n")
      .yaml(R"(paths:
  /proc/7000/exe: {link: /usr/bin/python3.11}
  /proc/7000/fd/3: {link: "socket:[7001]"}
  /proc/7777/fd/3: {link: "socket:[7002]"}
  /proc/7777/fd/4: {link: "socket:[7003]"}
  /proc/7777/fd/5: {link: /dev/nvidia0}
)");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  const auto& main = table.where("port", "8000");
  EXPECT_EQ(main.at("service"), "vllm");
  EXPECT_EQ(main.at("is_main_port"), "1");
  EXPECT_EQ(main.at("gpu_handles"), "1");
  for (const auto* port : {"38639", "29500"}) {
    const auto& extra = table.where("port", port);
    EXPECT_EQ(extra.at("service"), "vllm") << port;
    EXPECT_EQ(extra.at("is_main_port"), "0") << port;
    EXPECT_EQ(extra.at("gpu_handles"), "1") << port;
    EXPECT_EQ(extra.at("exposure"), "wildcard") << port;
  }
}

TEST_F(ListeningSocketsProbe, CountsTheGpuHandlesOfTheWholeService) {
  proc_net(listener("00000000:2328", "1010", "7001"), "");
  capture_.file("/proc/500/comm", "server\n")
      .file("/proc/500/status", "PPid:\t1\n")
      .file("/proc/500/cgroup", "0::/system.slice/infer.service\n")
      .file("/proc/501/comm", "engine\n")
      .file("/proc/501/status", "PPid:\t1\n")
      .file("/proc/501/cgroup", "0::/system.slice/infer.service\n")
      .yaml("paths:\n  /proc/500/fd/3: {link: \"socket:[7001]\"}\n  /proc/501/fd/3: {link: /dev/kfd}\n");
  EXPECT_EQ(read_table(*capture_.open(), "listening_sockets").rows.at(0).at("gpu_handles"), "1");
}

TEST_F(ListeningSocketsProbe, DoubtsTheGpuHandlesOfRelativesOnly) {
  proc_net(listener("00000000:2328", "1010", "7001") + listener("00000000:2329", "1010", "7002"), "");
  capture_.file("/proc/500/comm", "server\n")
      .file("/proc/500/status", "PPid:\t1\n")
      .file("/proc/501/comm", "hidden\n")
      .file("/proc/501/status", "PPid:\t500\n")
      .file("/proc/600/comm", "other\n")
      .file("/proc/600/status", "PPid:\t1\n")
      .yaml(R"(paths:
  /proc/500/fd/3: {link: "socket:[7001]"}
  /proc/501/fd: {error: permission}
  /proc/600/fd/3: {link: "socket:[7002]"}
)");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.where("port", "9000").at("gpu_handles"), "UNREAD");
  EXPECT_EQ(table.where("port", "9001").at("gpu_handles"), "0");
  EXPECT_THAT(table.gap_words(), ElementsAre("tcp 0.0.0.0:9000 gpu_handles permission"));
}

// C60.
TEST_F(ListeningSocketsProbe, KnowsTheDcgmHostEngine) {
  proc_net(listener("00000000:15B3", "0", "2000"), "");
  capture_.file("/proc/600/comm", "nv-hostengine\n").yaml("paths: {/proc/600/fd/3: {link: \"socket:[2000]\"}}");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.where("port", "5555").at("service"), "dcgm");
  EXPECT_EQ(table.where("port", "5555").at("service_source"), "process");
}

// C62.
TEST_F(ListeningSocketsProbe, KnowsEachProcessOfARayCluster) {
  proc_net(listener("0100007F:2049", "1010", "801") + listener("00000000:18EB", "1010", "802") +
               listener("00000000:CC8D", "1010", "803"),
           listener("00000000000000000000000000000000:2711", "1010", "804"));
  capture_.file("/proc/801/comm", "gcs_server\n")
      .file("/proc/802/comm", "ray::IDLE\n")
      .file("/proc/803/comm", "raylet\n")
      .yaml(R"(paths:
  /proc/801/fd/3: {link: "socket:[801]"}
  /proc/801/fd/4: {link: "socket:[802]"}
  /proc/803/fd/4: {link: "socket:[803]"}
  /proc/802/fd/4: {link: "socket:[804]"}
)");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  for (const auto& row : table.rows) EXPECT_EQ(row.at("service"), "ray") << row.at("socket");
}

TEST_F(ListeningSocketsProbe, TakesAForwardersPortForTheServiceBehindIt) {
  proc_net(listener("00000000:2CAA", "0", "9") + listener("00000000:1F90", "0", "10"), "");
  capture_.file("/proc/600/comm", "docker-proxy\n")
      .file("/proc/600/status", "PPid:\t500\n")
      .file("/proc/500/comm", "dockerd\n")
      .yaml("paths: {/proc/600/fd/3: {link: \"socket:[9]\"}, /proc/600/fd/4: {link: \"socket:[10]\"}}");
  const auto table = read_table(*capture_.open(), "listening_sockets");
  EXPECT_EQ(table.where("port", "11434").at("service"), "ollama");
  EXPECT_EQ(table.where("port", "11434").at("service_source"), "port");
  EXPECT_EQ(table.where("port", "8080").at("service"), "NULL");
}

// C56: what listens in a container's network is not the host's.
TEST_F(ListeningSocketsProbe, LeavesOtherNetworkNamespacesToContainerSockets) {
  capture_.file("/proc/1/net/tcp", kHeader + listener("0100007F:1538", "110", "1999"))
      .file("/proc/1/net/tcp6", kHeader)
      .file("/proc/1/net/udp", kHeader)
      .file("/proc/1/net/udp6", kHeader)
      .file("/proc/4242/comm", "lighttpd\n")
      .file("/proc/4242/net/tcp", kHeader + listener("00000000:1F90", "33", "2000"))
      .yaml(R"(paths:
  /proc/1/ns/net: {link: "net:[4026531840]"}
  /proc/4242/ns/net: {link: "net:[4026532711]"}
  /proc/4242/fd/3: {link: "socket:[2000]"}
)");
  const auto host = capture_.open();
  const auto sockets = read_table(*host, "listening_sockets");
  ASSERT_EQ(sockets.rows.size(), 1U);
  EXPECT_EQ(sockets.rows[0].at("port"), "5432");
  EXPECT_EQ(sockets.rows[0].at("network_namespace"), "net:[4026531840]");
  const auto inside = read_table(*host, "container_sockets");
  ASSERT_EQ(inside.rows.size(), 1U);
  EXPECT_EQ(inside.rows[0].at("exposure"), "container-internal");
  EXPECT_EQ(inside.rows[0].at("process"), "lighttpd");
  EXPECT_EQ(inside.rows[0].at("network_namespace"), "net:[4026532711]");
  EXPECT_THAT(inside.gaps, IsEmpty());
}

TEST(ContainerSocketsProbe, AreAGapWhenNamespacesAreHidden) {
  Capture capture;
  capture.file("/proc/devices", "")
      .file("/proc/1/comm", "systemd\n")
      .yaml("privileged: false\npaths: {/proc/1/ns/net: {error: permission}}");
  EXPECT_THAT(read_table(*capture.open(), "container_sockets").gap_words(), ElementsAre("* * permission"));
}

}  // namespace
}  // namespace gpuharden::test
