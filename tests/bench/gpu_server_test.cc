// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/gpu_server.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>

#include "checks/accounts/passwd.h"
#include "engine/host/host.h"
#include "engine/native/sock_diag.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

ServerSize small() {
  ServerSize size;
  size.modules = 12;
  size.packages = 20;
  size.units = 40;
  size.containers = 3;
  size.processes = 20;
  size.sockets = 10;
  size.users = 4;
  return size;
}

TEST(GpuServer, IsACaptureWithWhatWasAskedFor) {
  const TemporaryFolder folder;
  write_gpu_server(folder.path() + "/server", small());
  const auto host = open_capture_host(folder.path() + "/server");
  ASSERT_TRUE(host) << host.error().message;
  const Files& files = (*host)->files();
  EXPECT_EQ((*host)->kernel_name()->release, kRunningKernel);
  EXPECT_EQ(files.stat("/dev/nvidia15")->device_minor, 15U);
  EXPECT_EQ(files.list("/lib/modules")->size(), 3U);
  EXPECT_EQ(files.list("/var/lib/docker/containers")->size(), 3U);
  std::vector<std::uint32_t> bad_lines;
  const auto users = parse_passwd(files.read("/etc/passwd")->bytes, bad_lines);
  EXPECT_EQ(
      std::count_if(users.begin(), users.end(), [](const auto& user) { return user.uid >= 1000 && user.uid < 65534; }),
      4);
  EXPECT_TRUE(bad_lines.empty());
  const auto sockets = decode_inet_sockets((*host)->sockets(SocketProtocol::kTcp, AF_INET)->messages);
  EXPECT_EQ(sockets->size(), 6U);
}

TEST(GpuServer, IsTheSameEveryTime) {
  const TemporaryFolder folder;
  const auto bytes_of = [&](const std::string& name) {
    write_gpu_server(folder.path() + name, small());
    const auto host = open_capture_host(folder.path() + name);
    return (*host)->files().read("/lib/modules/6.8.0-60-generic/updates/dkms/nvidia.ko")->bytes +
           (*host)->files().read("/var/lib/dpkg/status")->bytes;
  };
  EXPECT_EQ(bytes_of("/a"), bytes_of("/b"));
}

TEST(GpuServer, EverySocketBelongsToAProcess) {
  const TemporaryFolder folder;
  write_gpu_server(folder.path() + "/server", small());
  const auto host = open_capture_host(folder.path() + "/server");
  const Files& files = (*host)->files();
  std::size_t found = 0;
  for (const auto& entry : *files.list("/proc")) {
    const auto descriptors = files.list("/proc/" + entry.name + "/fd");
    if (!descriptors) continue;
    for (const auto& descriptor : *descriptors) {
      found +=
          files.read_link("/proc/" + entry.name + "/fd/" + descriptor.name)->starts_with("socket:[50000") ? 1U : 0U;
    }
  }
  EXPECT_EQ(found, 10U);
}

}  // namespace
}  // namespace gpuharden::test
