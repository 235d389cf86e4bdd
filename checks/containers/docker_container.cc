// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/docker_container.h"

#include <algorithm>

#include "checks/containers/container_gpus.h"
#include "checks/system/json_fields.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string without_prefix(std::string_view text, std::string_view prefix) {
  return std::string(text.starts_with(prefix) ? text.substr(prefix.size()) : text);
}

// "/srv/models:/models:ro,Z".
void take_bind(const std::string& bind, std::vector<ContainerMount>& mounts) {
  const auto parts = split(bind, ':');
  if (parts.size() < 2) return;
  ContainerMount mount{std::string(parts[0]), std::string(parts[1]), true, !parts[0].starts_with('/')};
  if (parts.size() > 2) {
    const auto options = split(parts[2], ',');
    mount.is_writable = std::find(options.begin(), options.end(), "ro") == options.end();
  }
  mounts.push_back(std::move(mount));
}

// What is mounted, from the container's own list where it has one: that names volumes' folders too.
std::vector<ContainerMount> mounts_of(const Json& config, const Json& host_config) {
  std::vector<ContainerMount> mounts;
  const auto& points = json_field(config, "MountPoints");
  if (points.is_object()) {
    for (const auto& [target, point] : points.items()) {
      mounts.push_back(
          {json_text(point, "Source"), target, json_boolean(point, "RW"), json_text(point, "Type") == "volume"});
    }
  }
  const auto is_known = [&](const ContainerMount& one) {
    return std::any_of(mounts.begin(), mounts.end(), [&](const auto& m) { return m.target == one.target; });
  };
  std::vector<ContainerMount> more;
  for (const auto& bind : json_texts(json_field(host_config, "Binds"))) take_bind(bind, more);
  const auto& wanted = json_field(host_config, "Mounts");
  if (wanted.is_array()) {
    for (const auto& mount : wanted) {
      more.push_back({json_text(mount, "Source"), json_text(mount, "Target"), !json_boolean(mount, "ReadOnly"),
                      json_text(mount, "Type") != "bind"});
    }
  }
  std::erase_if(more, is_known);
  mounts.insert(mounts.end(), more.begin(), more.end());
  return mounts;
}

// {"8000/tcp": [{"HostIp": "0.0.0.0", "HostPort": "8000"}]}.
std::vector<ContainerPort> ports_of(const Json& bindings) {
  std::vector<ContainerPort> ports;
  if (!bindings.is_object()) return ports;
  for (const auto& [target, places] : bindings.items()) {
    if (!places.is_array()) continue;
    for (const auto& place : places)
      ports.push_back({json_text(place, "HostIp"), json_text(place, "HostPort"), target});
  }
  return ports;
}

void take_config(const Json& config, DockerContainer& out) {
  const auto& inner = json_field(config, "Config");
  const auto& state = json_field(config, "State");
  out.id = json_text(config, "ID");
  out.name = without_prefix(json_text(config, "Name"), "/");
  out.image = json_text(inner, "Image");
  out.user = json_text(inner, "User");
  out.is_running = json_boolean(state, "Running");
  out.pid = json_integer(state, "Pid");
}

void take_host_config(const Json& host_config, DockerContainer& out) {
  out.runtime = json_text(host_config, "Runtime");
  out.restart = json_text(json_field(host_config, "RestartPolicy"), "Name");
  out.is_privileged = json_boolean(host_config, "Privileged");
  out.has_readonly_root = json_boolean(host_config, "ReadonlyRootfs");
  out.pid_mode = json_text(host_config, "PidMode");
  out.ipc_mode = json_text(host_config, "IpcMode");
  out.network_mode = json_text(host_config, "NetworkMode");
  out.userns_mode = json_text(host_config, "UsernsMode");
  out.cgroupns_mode = json_text(host_config, "CgroupnsMode");
  out.security_options = json_texts(json_field(host_config, "SecurityOpt"));
  out.device_rules = json_texts(json_field(host_config, "DeviceCgroupRules"));
  for (auto& capability : json_texts(json_field(host_config, "CapAdd"))) {
    std::transform(capability.begin(), capability.end(), capability.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    out.capabilities.push_back(without_prefix(capability, "CAP_"));
  }
  const auto& devices = json_field(host_config, "Devices");
  if (!devices.is_array()) return;
  for (const auto& device : devices) out.devices.push_back(json_text(device, "PathOnHost"));
}

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

}  // namespace

Result<DockerContainer> parse_docker_container(std::string_view config_text, std::string_view host_config_text) {
  const auto config = parse_json(config_text);
  if (!config || !config->is_object()) return Error{ErrorCode::kMalformed, "config.v2.json: no JSON object"};
  const auto host_config = parse_json(host_config_text);
  if (!host_config || !host_config->is_object()) return Error{ErrorCode::kMalformed, "hostconfig.json: no JSON object"};
  DockerContainer container;
  take_config(*config, container);
  take_host_config(*host_config, container);
  container.mounts = mounts_of(*config, *host_config);
  container.ports = ports_of(json_field(json_field(*config, "NetworkSettings"), "Ports"));
  if (container.ports.empty()) container.ports = ports_of(json_field(*host_config, "PortBindings"));
  find_container_gpus(*config, *host_config, container);
  return container;
}

ImageName parse_image_name(std::string_view image) {
  if (image.starts_with("sha256:") || (image.size() >= 12 && is_hex(image))) return {std::nullopt, true};
  const auto at = image.find('@');
  const auto name = image.substr(0, at);
  const bool is_pinned = at != std::string_view::npos;
  const auto slash = name.rfind('/');
  const auto colon = name.find(':', slash == std::string_view::npos ? 0 : slash);
  if (colon != std::string_view::npos) return {std::string(name.substr(colon + 1)), is_pinned};
  return {is_pinned ? std::nullopt : std::optional<std::string>("latest"), is_pinned};
}

}  // namespace gpuharden
