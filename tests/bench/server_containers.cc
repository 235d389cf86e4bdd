// SPDX-License-Identifier: GPL-2.0-or-later
// The containers of the made-up server as Docker keeps them on disk, and its runtime's settings.
#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

std::string configuration(std::size_t number) {
  const std::string id = container_id(number);
  return concat(
      {R"({"StreamConfig":{},"State":{"Running":true,"Paused":false,"Pid":)",
       std::to_string(20000 + number),
       R"(},"ID":")",
       id,
       R"(","Created":"2026-08-01T00:00:00Z","Path":"python3","Args":["-m","serve","--port","8000"],)",
       R"("Config":{"Hostname":")",
       id.substr(0, 12),
       R"(","User":"","Env":["PATH=/usr/local/bin:/usr/bin",)",
       R"("NVIDIA_VISIBLE_DEVICES=)",
       std::to_string(number % 8),
       R"(","NVIDIA_DRIVER_CAPABILITIES=compute,utility"],)",
       R"("Image":"registry.example.org/serve:)",
       std::to_string(number % 5),
       R"(","Labels":{"owner":"team"}},)",
       R"("Image":"sha256:)",
       identity(numbered("image", number % 5)),
       R"(","Name":"/serve)",
       std::to_string(number),
       R"(","Driver":"overlay2","MountPoints":{"/models":{"Source":"/srv/models","Destination":"/models","RW":false}},)",
       R"("AppArmorProfile":"docker-default","RestartCount":0})"});
}

std::string host_configuration(std::size_t number) {
  return concat(
      {R"({"Binds":["/srv/models:/models:ro"],"NetworkMode":"bridge","PortBindings":{"8000/tcp":[{"HostIp":"127.0.0.1",)",
       R"("HostPort":")", std::to_string(18000 + number),
       R"("}]},"RestartPolicy":{"Name":"unless-stopped"},"CapAdd":null,)",
       R"("CapDrop":["ALL"],"IpcMode":"private","PidMode":"","Privileged":false,"ReadonlyRootfs":false,)",
       R"("SecurityOpt":["no-new-privileges"],"Runtime":"runc","DeviceRequests":[{"Driver":"nvidia","Count":0,"DeviceIDs":[")",
       std::to_string(number % 8), R"("],"Capabilities":[["gpu"]]}],"ShmSize":1073741824})"});
}

void write_settings(TreeWriter& tree) {
  tree.file("/etc/docker/daemon.json",
            R"({"runtimes":{"nvidia":{"args":[],"path":"nvidia-container-runtime"}},"live-restore":true,"icc":false})");
  tree.file("/etc/nvidia-container-runtime/config.toml",
            "accept-nvidia-visible-devices-as-volume-mounts = "
            "false\naccept-nvidia-visible-devices-envvar-when-unprivileged = false\n\n"
            "[nvidia-container-cli]\nload-kmods = true\nldconfig = "
            "\"@/sbin/ldconfig.real\"\n\n[nvidia-container-runtime]\nmode = \"auto\"\n");
  tree.file("/var/run/cdi/nvidia.yaml", "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices: []\n");
  tree.facts("/run/docker.sock", "type: socket, mode: \"0660\", gid: 998");
}

}  // namespace

std::string container_id(std::size_t number) { return identity(numbered("container", number)); }

std::string container_root(std::size_t number) {
  return concat({"/var/lib/docker/overlay2/", identity(numbered("layer", number)), "/merged"});
}

void write_containers(TreeWriter& tree, const ServerSize& size) {
  write_settings(tree);
  for (std::size_t i = 0; i < size.containers; ++i) {
    const std::string folder = concat({"/var/lib/docker/containers/", container_id(i)});
    tree.file(folder + "/config.v2.json", configuration(i));
    tree.file(folder + "/hostconfig.json", host_configuration(i));
    tree.file(container_root(i) + "/usr/lib/os-release", "ID=debian\nVERSION_ID=\"12\"\n");
    tree.file(container_root(i) + "/etc/passwd", "root:x:0:0:root:/root:/bin/bash\n");
    const std::string site = container_root(i) + "/usr/local/lib/python3.11/site-packages/vllm-0.10.2.dist-info";
    tree.file(site + "/METADATA", "Metadata-Version: 2.1\nName: vllm\nVersion: 0.10.2\n\n");
  }
}

}  // namespace gpuharden::test
