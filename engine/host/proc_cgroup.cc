// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/proc_cgroup.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kContainerIdLength = 64;

// The path of the unified hierarchy, or of systemd's own under version 1: "0::/a/b", "1:name=systemd:/a/b".
std::string_view cgroup_path(std::string_view text) {
  std::string_view best;
  for (const auto line : split(text, '\n')) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const auto path = line.substr(second + 1);
    const bool is_unified = controllers.empty() && path.size() > 1;
    if (is_unified || controllers == "name=systemd") return path;
    if (path.size() > best.size()) best = path;
  }
  return best;
}

bool is_hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// The engines put the id into names of their own: docker-ID.scope, cri-containerd-ID.scope, /docker/ID.
std::optional<std::string> container_id(std::string_view component) {
  std::size_t run = 0;
  for (std::size_t i = 0; i < component.size(); ++i) {
    run = is_hexadecimal(component[i]) ? run + 1 : 0;
    const bool ends = i + 1 == component.size() || !is_hexadecimal(component[i + 1]);
    if (run == kContainerIdLength && ends) return std::string(component.substr(i + 1 - run, run));
  }
  constexpr std::string_view kLxc = "lxc.payload.";
  if (component.starts_with(kLxc)) return concat({"lxc:", component.substr(kLxc.size())});
  return std::nullopt;
}

}  // namespace

ProcessGroup parse_proc_cgroup(std::string_view text) {
  ProcessGroup group;
  for (const auto component : split(cgroup_path(text), '/')) {
    if (component.ends_with(".service") || component.ends_with(".scope")) group.unit = std::string(component);
    if (auto id = container_id(component)) group.container = std::move(id);
  }
  return group;
}

}  // namespace gpuharden
