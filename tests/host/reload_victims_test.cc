// SPDX-License-Identifier: GPL-2.0-or-later
// C173: who loses a GPU when systemd is reloaded.
#include "engine/host/reload_victims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;

// The ids of engines are 64 digits.
const std::string kId = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const std::string kDockerScope = "0::/system.slice/docker-" + kId + ".scope\n";

class ReloadVictims : public testing::Test {
 protected:
  void process(int pid, const std::string& cgroup, const char* device) {
    const std::string folder = "/proc/" + std::to_string(pid);
    capture_.file(folder + "/cgroup", cgroup).file(folder + "/comm", "python3\n").link(folder + "/fd/3", device);
  }
  std::vector<std::string> victims() const {
    const auto host = capture_.open();
    return reload_victims(host->files()).value();
  }
  Capture capture_;
};

TEST_F(ReloadVictims, AreProcessesInScopesOfEnginesWithAnNvidiaDevice) {
  process(10, kDockerScope, "/dev/nvidia0");
  process(11, kDockerScope, "/dev/null");
  process(12, "0::/system.slice/ollama.service\n", "/dev/nvidia0");
  process(13, "0::/user.slice/user-1000.slice/session-2.scope\n", "/dev/nvidia0");
  process(14, "12:devices:/kubepods.slice/pod1.slice/cri-containerd-" + kId + ".scope\n0::/\n", "/dev/nvidia-uvm");
  // Docker's own driver of cgroups: systemd does not know this group and leaves it alone.
  process(15, "0::/docker/" + kId + "\n", "/dev/nvidia0");
  process(16, "0::/lxc.payload.web/user.slice/session-1.scope\n", "/dev/nvidia0");
  EXPECT_THAT(victims(), ElementsAre("python3 (pid 10)", "python3 (pid 14)"));
}

TEST_F(ReloadVictims, AreNoneWhereRuncKnowsTheDevices) {
  process(10, kDockerScope, "/dev/nvidia0");
  capture_.link("/dev/char/195:0", "../nvidia0");
  EXPECT_THAT(victims(), IsEmpty());
}

TEST_F(ReloadVictims, AreNotKnownWhereAProcessCannotBeLookedAt) {
  process(10, kDockerScope, "/dev/nvidia0");
  capture_.yaml("paths: {\"/proc/10/fd\": {error: permission}}");
  const auto host = capture_.open();
  EXPECT_EQ(reload_victims(host->files()).error().code, ErrorCode::kPermission);
}

TEST_F(ReloadVictims, AreNotKnownWhereItsGroupCannotBeRead) {
  process(10, kDockerScope, "/dev/nvidia0");
  capture_.yaml("paths: {\"/proc/10/cgroup\": {error: permission}}");
  const auto host = capture_.open();
  EXPECT_EQ(reload_victims(host->files()).error().code, ErrorCode::kPermission);
}

}  // namespace
}  // namespace gpuharden::test
