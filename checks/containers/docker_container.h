// SPDX-License-Identifier: GPL-2.0-or-later
// What Docker keeps about a container: config.v2.json and hostconfig.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct ContainerMount {
  std::string source;  // on the host; the volume's folder for a volume
  std::string target;
  bool is_writable = true;
  bool is_volume = false;
};

struct ContainerPort {
  std::string ip;  // empty: the daemon's default, usually every address
  std::string port, target;
};

enum class GpuShare : std::uint8_t { kNone, kSome, kAll };

struct DockerContainer {
  std::string id, name, image, user, runtime, restart;
  bool is_running = false, is_privileged = false, has_readonly_root = false;
  std::int64_t pid = 0;
  std::string pid_mode, ipc_mode, network_mode, userns_mode, cgroupns_mode;
  std::vector<std::string> capabilities, security_options, devices, device_rules;
  std::vector<ContainerMount> mounts;
  std::vector<ContainerPort> ports;
  GpuShare gpus = GpuShare::kNone;
  std::vector<std::string> gpu_ways;  // "--gpus all", "/dev/kfd", …
  std::string mig_config;             // NVIDIA_MIG_CONFIG_DEVICES
};

// kMalformed when one of the texts is no JSON object.
Result<DockerContainer> parse_docker_container(std::string_view config, std::string_view host_config);

struct ImageName {
  std::optional<std::string> tag;  // "latest" where none is written; nothing for an id or a digest alone
  bool is_pinned = false;          // by digest or id
};
ImageName parse_image_name(std::string_view image);

}  // namespace gpuharden
