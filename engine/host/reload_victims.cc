// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/reload_victims.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kNvidiaMajor = "195:";
// systemd's names for what the engines start; without systemd's driver the path has no scope.
constexpr std::array<std::string_view, 4> kScopes = {"docker-", "libpod-", "cri-containerd-", "crio-"};

bool is_number(std::string_view name) { return parse_unsigned(name).has_value(); }

bool is_container_scope(std::string_view cgroups) {
  for (const auto line : split(cgroups, '\n')) {
    for (const auto part : split(line.substr(std::min(line.rfind(':') + 1, line.size())), '/')) {
      const bool is_engines =
          std::any_of(kScopes.begin(), kScopes.end(), [&](std::string_view scope) { return part.starts_with(scope); });
      if (is_engines && part.ends_with(".scope")) return true;
    }
  }
  return false;
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
