// SPDX-License-Identifier: GPL-2.0-or-later
// How NVIDIA's container toolkit is configured: which containers get GPUs, and what keeps them to those.
#include <array>

#include "checks/containers/toml.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText,
     "name with that of its table: nvidia-container-cli.no-cgroups; the tables' names decide what a setting means",
     ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "a string without its quotes, everything else as written", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file that sets it", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in the file, from 1", ColumnFlag::kNotNull},
};

// The second is that of the toolkit that the GPU Operator installs.
constexpr std::array<std::string_view, 2> kConfigs = {
    "/etc/nvidia-container-runtime/config.toml",
    "/usr/local/nvidia/toolkit/.config/nvidia-container-runtime/config.toml"};

void read_config(TableReader& out, std::string_view path) {
  const auto file = out.files().read(path);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) return out.gap(path, "*", file.error());
  const auto toml = parse_toml(file->bytes);
  if (file->truncated || !toml.faults.empty()) {
    const auto line = toml.faults.empty() ? std::string("its end") : concat({"line ", std::to_string(toml.faults[0])});
    return out.gap(path, "*", {ErrorCode::kMalformed, concat({path, ": ", line, " was not understood"})});
  }
  for (const auto& setting : toml.settings) {
    out.row().set("name", setting.name).set("value", setting.value).set("file", path).set("line", setting.line);
  }
}

void read_nvidia_container_config(TableReader& out) {
  for (const auto path : kConfigs) read_config(out, path);
}

}  // namespace

Probe nvidia_container_config_probe() {
  return {{"nvidia_container_config",
           "Settings of NVIDIA's container toolkit that are written down (nvidia-container-runtime/config.toml). A "
           "comment sets nothing, and defaults have no row.",
           kColumns},
          &read_nvidia_container_config};
}

}  // namespace gpuharden
