// SPDX-License-Identifier: GPL-2.0-or-later
// Docker's containers as Docker keeps them on disk: no daemon is asked.
#include <algorithm>
#include <array>

#include "checks/containers/docker_container.h"
#include "checks/containers/docker_settings.h"
#include "checks/system/if_any.h"
#include "checks/system/json_fields.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "its hostconfig.json", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"id", ColumnType::kText, "64 hexadecimal digits", ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "its name, without the slash; the id where it has none", ColumnFlag::kNotNull},
    {"image", ColumnType::kText, "the image as it was asked for", ColumnFlag::kNotNull},
    {"image_tag", ColumnType::kText, "its tag, latest where none is written; NULL for an id or a digest alone"},
    {"image_pinned", ColumnType::kBoolean, "the image is named by digest or id", ColumnFlag::kNotNull},
    {"running", ColumnType::kBoolean, "it ran when Docker last wrote its state", ColumnFlag::kNotNull},
    {"pid", ColumnType::kInteger, "its first process; NULL when it does not run"},
    {"user", ColumnType::kText, "the user inside, by name or number; NULL: the image's, usually root"},
    {"restart", ColumnType::kText, "restart policy: no, always, unless-stopped, on-failure; NULL when not set"},
    {"runtime", ColumnType::kText, "runc, nvidia, …; NULL when not set"},
    {"privileged", ColumnType::kBoolean, "all capabilities, all devices, no seccomp, no AppArmor",
     ColumnFlag::kNotNull},
    {"capabilities", ColumnType::kText, "JSON list of added capabilities, upper case, without CAP_",
     ColumnFlag::kNotNull},
    {"security_options", ColumnType::kText, "JSON list as written: seccomp=unconfined, no-new-privileges",
     ColumnFlag::kNotNull},
    {"pid_mode", ColumnType::kText, "host, container:ID; NULL for its own namespace"},
    {"ipc_mode", ColumnType::kText, "host, shareable, private, …; NULL when not set"},
    {"network_mode", ColumnType::kText, "host, bridge, a network's name, …; NULL when not set"},
    {"userns_mode", ColumnType::kText, "host: not remapped although the daemon remaps; NULL when not set"},
    {"cgroupns_mode", ColumnType::kText, "host or private; NULL when not set"},
    {"readonly_root", ColumnType::kBoolean, "its root file system is read-only", ColumnFlag::kNotNull},
    {"devices", ColumnType::kText, "JSON list of the host's devices it is given", ColumnFlag::kNotNull},
    {"device_rules", ColumnType::kText, "JSON list of device cgroup rules", ColumnFlag::kNotNull},
    {"mounts", ColumnType::kText, "JSON list of objects: source (on the host), target, writable, volume",
     ColumnFlag::kNotNull},
    {"published", ColumnType::kText, "JSON list of objects: ip (empty: the daemon's default), port, target (8000/tcp)",
     ColumnFlag::kNotNull},
    {"gpus", ColumnType::kText, "all, some or none: which GPUs its settings give it", ColumnFlag::kNotNull},
    {"gpu_ways", ColumnType::kText, "JSON list of the settings that do: --gpus all, /dev/kfd, --privileged",
     ColumnFlag::kNotNull},
    {"mig_config", ColumnType::kText, "NVIDIA_MIG_CONFIG_DEVICES of its environment; NULL when not set"},
};

constexpr std::size_t kConfigCap = std::size_t{4} << 20U;

std::string json_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string mounts_json(const std::vector<ContainerMount>& mounts) {
  auto list = Json::array();
  for (const auto& mount : mounts) {
    list.push_back({{"source", mount.source},
                    {"target", mount.target},
                    {"writable", mount.is_writable ? 1 : 0},
                    {"volume", mount.is_volume ? 1 : 0}});
  }
  return json_of(list);
}

std::string ports_json(const std::vector<ContainerPort>& ports) {
  auto list = Json::array();
  for (const auto& port : ports) list.push_back({{"ip", port.ip}, {"port", port.port}, {"target", port.target}});
  return json_of(list);
}

constexpr std::string_view word_of(GpuShare share) {
  return share == GpuShare::kAll ? "all" : share == GpuShare::kSome ? "some" : "none";
}

void set_isolation(const DockerContainer& container, Row& row) {
  row.set("privileged", container.is_privileged)
      .set("capabilities", json_list(container.capabilities))
      .set("security_options", json_list(container.security_options))
      .set("pid_mode", if_any(container.pid_mode))
      .set("ipc_mode", if_any(container.ipc_mode))
      .set("network_mode", if_any(container.network_mode))
      .set("userns_mode", if_any(container.userns_mode))
      .set("cgroupns_mode", if_any(container.cgroupns_mode))
      .set("readonly_root", container.has_readonly_root)
      .set("devices", json_list(container.devices))
      .set("device_rules", json_list(container.device_rules))
      .set("mounts", mounts_json(container.mounts))
      .set("published", ports_json(container.ports))
      .set("gpus", word_of(container.gpus))
      .set("gpu_ways", json_list(container.gpu_ways))
      .set("mig_config", if_any(container.mig_config));
}

void add_row(TableReader& out, const std::string& file, const std::string& id, const DockerContainer& container) {
  const auto image = parse_image_name(container.image);
  auto row = out.row();
  row.set("file", file)
      .set("id", id)
      .set("name", container.name.empty() ? id : container.name)
      .set("image", container.image)
      .set("image_tag", image.tag)
      .set("image_pinned", image.is_pinned)
      .set("running", container.is_running)
      .set("user", if_any(container.user))
      .set("restart", if_any(container.restart))
      .set("runtime", if_any(container.runtime));
  if (container.is_running) row.set("pid", container.pid);
  set_isolation(container, row);
}

void read_container(TableReader& out, const std::string& folder, const std::string& id) {
  const auto file = concat({folder, "/hostconfig.json"});
  const auto host_config = out.files().read(file, kConfigCap);
  const auto config = out.files().read(concat({folder, "/config.v2.json"}), kConfigCap);
  // Docker makes the folder first and the files after it, and takes the files away first.
  if (!config && config.error().code == ErrorCode::kNotFound && !host_config &&
      host_config.error().code == ErrorCode::kNotFound)
    return;
  if (!config) return out.gap(file, "*", config.error());
  if (!host_config) return out.gap(file, "*", host_config.error());
  if (config->truncated || host_config->truncated)
    return out.gap(file, "*", {ErrorCode::kTooLarge, concat({folder, ": its configuration is too large"})});
  const auto container = parse_docker_container(config->bytes, host_config->bytes);
  if (!container) return out.gap(file, "*", {container.error().code, concat({folder, "/", container.error().message})});
  add_row(out, file, id, *container);
}

// Entries of the folder; empty when it is not there.
std::vector<DirectoryEntry> list(TableReader& out, std::string_view folder) {
  auto entries = out.files().list(folder);
  if (entries) return std::move(*entries);
  if (entries.error().code != ErrorCode::kNotFound) out.gap(entries.error());
  return {};
}

void read_folder(TableReader& out, const std::string& folder) {
  for (const auto& entry : list(out, folder)) read_container(out, concat({folder, "/", entry.name}), entry.name);
}

// With userns-remap each mapping has a data root of its own: /var/lib/docker/165536.165536.
bool is_remapped_root(std::string_view name) {
  const auto dot = name.find('.');
  return dot != std::string_view::npos && parse_unsigned(name.substr(0, dot)) && parse_unsigned(name.substr(dot + 1));
}

// Containers that others than Docker run are not read: no rule may call that "there are none".
void note_other_engines(TableReader& out) {
  constexpr std::string_view kTasks = "/run/containerd/io.containerd.runtime.v2.task";
  for (const auto& space : list(out, kTasks)) {
    const auto tasks = space.name == "moby" ? 0 : list(out, concat({kTasks, "/", space.name})).size();
    if (tasks == 0) continue;
    out.gap({ErrorCode::kUnsupported,
             concat({kTasks, "/", space.name, ": containers that containerd runs without Docker are not read"})});
  }
  constexpr std::string_view kPodman = "/var/lib/containers/storage/overlay-containers";
  for (const auto& entry : list(out, kPodman)) {
    if (entry.name.size() != 64) continue;
    return out.gap({ErrorCode::kUnsupported, concat({kPodman, ": containers of podman and CRI-O are not read"})});
  }
}

void read_containers(TableReader& out) {
  const auto& facts = docker_settings_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap(error);
  for (const auto& root : facts.data_roots) {
    read_folder(out, concat({root, "/containers"}));
    for (const auto& entry : list(out, root)) {
      if (is_remapped_root(entry.name)) read_folder(out, concat({root, "/", entry.name, "/containers"}));
    }
  }
  note_other_engines(out);
}

}  // namespace

Probe containers_probe() {
  return {{"containers",
           "Docker's containers, running or not, from config.v2.json and hostconfig.json in Docker's data root.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_containers};
}

}  // namespace gpuharden
