// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/process/proc_status.h"
#include "checks/process/process_facts.h"
#include "engine/host/proc_cgroup.h"

namespace gpuharden {
namespace {

using testing::ElementsAre;

TEST(ParseProcStatus, TakesTheEffectiveIds) {
  const auto status = parse_proc_status(
      "Name:\tsudo\nPPid:\t7\nUid:\t1000\t0\t0\t0\nGid:\t100\t5\t5\t5\nGroups:\t44 109 \nCapEff:\t000001ffffffffff\n"
      "NoNewPrivs:\t1\nSeccomp:\t2\n");
  EXPECT_EQ(status.parent, 7);
  EXPECT_EQ(status.uid, 0U);
  EXPECT_EQ(status.gid, 5U);
  EXPECT_THAT(status.groups, ElementsAre(44, 109));
  EXPECT_EQ(status.effective_capabilities, "000001ffffffffff");
  EXPECT_EQ(status.no_new_privileges, true);
  EXPECT_EQ(status.seccomp, 2);
  EXPECT_FALSE(status.is_kernel_thread.has_value());
}

TEST(ParseProcStatus, LeavesOutWhatMakesNoSense) {
  const auto status = parse_proc_status("Uid: 1\nPPid: -3\nSeccomp: 99\nCapEff: zz\nKthread: 1\n:::\n");
  EXPECT_FALSE(status.uid.has_value());
  EXPECT_EQ(status.parent, 0);
  EXPECT_FALSE(status.seccomp.has_value());
  EXPECT_EQ(status.is_kernel_thread, true);
}

TEST(ParseProcCgroup, FindsTheInnermostUnit) {
  EXPECT_EQ(parse_proc_cgroup("0::/system.slice/ollama.service\n").unit, "ollama.service");
  EXPECT_EQ(parse_proc_cgroup("0::/user.slice/user-1000.slice/user@1000.service/app.slice/jupyter.service\n").unit,
            "jupyter.service");
  EXPECT_EQ(parse_proc_cgroup("12:devices:/a\n1:name=systemd:/system.slice/ssh.service\n0::/\n").unit, "ssh.service");
  EXPECT_FALSE(parse_proc_cgroup("0::/\n").unit.has_value());
}

TEST(ParseProcCgroup, FindsContainersOfEachEngine) {
  const std::string id(64, 'a');
  EXPECT_EQ(parse_proc_cgroup("0::/system.slice/docker-" + id + ".scope\n").container, id);
  EXPECT_EQ(parse_proc_cgroup("4:memory:/docker/" + id + "\n").container, id);
  EXPECT_EQ(parse_proc_cgroup("0::/kubepods.slice/pod1/cri-containerd-" + id + ".scope\n").container, id);
  EXPECT_EQ(parse_proc_cgroup("0::/lxc.payload.web/init.scope\n").container, "lxc:web");
  EXPECT_FALSE(parse_proc_cgroup("0::/x-" + id + "a.scope\n").container.has_value());
}

TEST(IsGpuDevicePath, KnowsTheNodes) {
  EXPECT_TRUE(is_gpu_device_path("/dev/nvidia0"));
  EXPECT_TRUE(is_gpu_device_path("/dev/kfd"));
  EXPECT_TRUE(is_gpu_device_path("/dev/dri/renderD128 (deleted)"));
  EXPECT_FALSE(is_gpu_device_path("/dev/dri/card0"));
  EXPECT_FALSE(is_gpu_device_path("/dev/null"));
}

TEST(BracketedNumber, WantsTheWholeText) {
  EXPECT_EQ(bracketed_number("socket:[55501]", "socket"), 55501U);
  EXPECT_FALSE(bracketed_number("socket:[5", "socket"));
  EXPECT_FALSE(bracketed_number("pipe:[5]", "socket"));
}

}  // namespace
}  // namespace gpuharden
