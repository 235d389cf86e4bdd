// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/reload_victims.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/host/proc_cgroup.h"

namespace gpuharden {
namespace {

constexpr std::string_view kNvidiaMajor = "195:";
bool is_number(std::string_view name) { return parse_unsigned(name).has_value(); }

// Without systemd's driver of cgroups a container has no scope, and systemd leaves it alone, as it does those of LXC.
bool is_container_scope(std::string_view cgroups) {
  const auto group = parse_proc_cgroup(cgroups);
  const bool is_engines = group.container && !group.container->starts_with("lxc:");
  return is_engines && group.unit && group.unit->ends_with(".scope");
}

bool holds_nvidia(const std::vector<LinkEntry>& handles) {
  return std::any_of(handles.begin(), handles.end(), [](const LinkEntry& handle) {
    return handle.target && handle.target->starts_with("/dev/nvidia");
  });
}

bool has_links(const Files& files) {
  const auto entries = files.list("/dev/char");
  return entries && std::any_of(entries->begin(), entries->end(),
                                [](const DirectoryEntry& entry) { return entry.name.starts_with(kNvidiaMajor); });
}

}  // namespace

Result<std::vector<std::string>> reload_victims(const Files& files) {
  std::vector<std::string> victims;
  if (has_links(files)) return victims;
  GH_ASSIGN_OR_RETURN(const auto processes, files.list("/proc"));
  for (const auto& process : processes) {
    if (!is_number(process.name)) continue;
    const std::string folder = "/proc/" + process.name;
    const auto cgroups = files.read(folder + "/cgroup");
    // A process that has ended in the meantime loses nothing.
    if (!cgroups && cgroups.error().code == ErrorCode::kNotFound) continue;
    if (!cgroups) return cgroups.error();
    if (!is_container_scope(cgroups->bytes)) continue;
    const auto handles = files.links(folder + "/fd");
    if (!handles && handles.error().code == ErrorCode::kNotFound) continue;
    if (!handles) return handles.error();
    if (!holds_nvidia(*handles)) continue;
    const auto name = files.read(folder + "/comm", 64);
    victims.push_back(concat({name ? trim(name->bytes) : "a process", " (pid ", process.name, ")"}));
  }
  return victims;
}

}  // namespace gpuharden
