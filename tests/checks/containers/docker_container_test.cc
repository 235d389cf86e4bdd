// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/docker_container.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {
using testing::ElementsAre;

DockerContainer parse(std::string_view config, std::string_view host_config) {
  return *parse_docker_container(config, host_config);
}

TEST(DockerContainer, ReadsNameStateAndIsolation) {
  const auto container = parse(R"({"Name":"/vllm","Config":{"Image":"vllm:1"},"State":{"Running":true,"Pid":7}})",
                               R"({"Privileged":true,"CapAdd":["cap_bpf","SYS_PTRACE"],"PidMode":"host"})");
  EXPECT_EQ(container.name, "vllm");
  EXPECT_EQ(container.pid, 7);
  EXPECT_TRUE(container.is_privileged);
  EXPECT_THAT(container.capabilities, ElementsAre("BPF", "SYS_PTRACE"));
  EXPECT_EQ(container.pid_mode, "host");
}

TEST(DockerContainer, TakesMountsFromTheListOfPointsFirst) {
  const auto container = parse(
      R"({"MountPoints":{"/m":{"Source":"/srv/m","RW":false,"Type":"bind"}}})",
      R"({"Binds":["/srv/m:/m:ro","/etc:/e:Z,ro","name:/v","odd"],"Mounts":[{"Type":"bind","Source":"/a","Target":"/b"}]})");
  ASSERT_EQ(container.mounts.size(), 4U);
  EXPECT_EQ(container.mounts[0].source, "/srv/m");
  EXPECT_FALSE(container.mounts[0].is_writable);
  EXPECT_EQ(container.mounts[1].source, "/etc");
  EXPECT_FALSE(container.mounts[1].is_writable);
  EXPECT_TRUE(container.mounts[2].is_volume);
  EXPECT_TRUE(container.mounts[3].is_writable);
}

TEST(DockerContainer, FindsGpusByEachOfTheirWays) {
  const auto gpus = [](std::string_view config, std::string_view host_config) {
    return parse(config, host_config).gpus;
  };
  EXPECT_EQ(gpus("{}", R"({"DeviceRequests":[{"Count":-1,"Capabilities":[["compute","gpu"]]}]})"), GpuShare::kAll);
  EXPECT_EQ(gpus("{}", R"({"DeviceRequests":[{"Driver":"cdi","DeviceIDs":["nvidia.com/gpu=all"]}]})"), GpuShare::kAll);
  EXPECT_EQ(gpus("{}", R"({"DeviceRequests":[{"Driver":"nvidia","Count":0,"DeviceIDs":["0"]}]})"), GpuShare::kSome);
  EXPECT_EQ(gpus("{}", R"({"DeviceRequests":[{"Driver":"other","Count":-1,"Capabilities":[["nic"]]}]})"),
            GpuShare::kNone);
  EXPECT_EQ(gpus("{}", R"({"Devices":[{"PathOnHost":"/dev/dri/"}]})"), GpuShare::kAll);
  EXPECT_EQ(gpus("{}", R"({"Devices":[{"PathOnHost":"/dev/nvidia0"}]})"), GpuShare::kSome);
  EXPECT_EQ(gpus("{}", R"({"Devices":[{"PathOnHost":"/dev/fuse"}]})"), GpuShare::kNone);
  EXPECT_EQ(gpus("{}", R"({"DeviceCgroupRules":["c 195:* rwm"]})"), GpuShare::kAll);
  EXPECT_EQ(gpus("{}", R"({"DeviceCgroupRules":["c 226:128 rw","b 8:* r"]})"), GpuShare::kSome);
  EXPECT_EQ(gpus("{}", R"({"DeviceCgroupRules":["a"]})"), GpuShare::kAll);
  const auto* image = R"({"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all","NVIDIA_VISIBLE_DEVICES=none"]}})";
  EXPECT_EQ(gpus(image, R"({"Runtime":"nvidia"})"), GpuShare::kNone);
}

TEST(DockerContainer, RefusesWhatIsNoObject) {
  EXPECT_FALSE(parse_docker_container("[]", "{}"));
  EXPECT_FALSE(parse_docker_container("{}", "{"));
  EXPECT_FALSE(parse_docker_container("{}", std::string(100000, '[')));
  EXPECT_TRUE(
      parse_docker_container(R"({"Name":1,"State":[],"NetworkSettings":{"Ports":{"1/tcp":null}}})",
                             R"({"Devices":{},"Binds":[1],"Mounts":[2],"DeviceRequests":[{"Capabilities":[1]}]})"));
}

TEST(ImageName, TellsTagsFromPortsAndDigests) {
  EXPECT_EQ(parse_image_name("localhost:5000/x").tag, "latest");
  EXPECT_EQ(parse_image_name("localhost:5000/x:v1").tag, "v1");
  EXPECT_EQ(parse_image_name("x@sha256:ab").tag, std::nullopt);
  EXPECT_TRUE(parse_image_name("x:1@sha256:ab").is_pinned);
  EXPECT_TRUE(parse_image_name("0123456789ab").is_pinned);
  EXPECT_FALSE(parse_image_name("cafe").is_pinned);
}

}  // namespace
}  // namespace gpuharden::test
