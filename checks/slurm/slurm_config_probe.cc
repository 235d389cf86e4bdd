// SPDX-License-Identifier: GPL-2.0-or-later
// How Slurm keeps jobs apart.
#include <array>

#include "checks/slurm/slurm_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr int kMaxIncludes = 8;  // as deep as one file may include another

constexpr Column kColumns[] = {
    {"config", ColumnType::kText, "which configuration: slurm, cgroup or gres", ColumnFlag::kNotNull},
    {"key", ColumnType::kText, "the setting in lower case, since Slurm does not tell them apart by case",
     ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "as written, without quotes", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file that sets it, an included one too", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in the file, from 1", ColumnFlag::kNotNull},
};

// slurmd without files of its own keeps what slurmctld sent in /run ("configless").
constexpr std::array<std::string_view, 3> kFolders = {"/etc/slurm", "/etc/slurm-llnl", "/run/slurm/conf"};
constexpr std::array<std::string_view, 3> kConfigs = {"slurm", "cgroup", "gres"};

class SlurmReader {
 public:
  explicit SlurmReader(TableReader& out) : out_(out) {}

  // Whether there is such a file.
  bool read(std::string_view config, const std::string& path, int depth) {
    const auto file = out_.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) return false;
    if (!file) {
      out_.gap(path, "*", file.error());
      return true;
    }
    if (file->truncated) out_.gap(path, "*", {ErrorCode::kTooLarge, concat({path, ": its end was not read"})});
    const auto conf = parse_slurm_conf(file->bytes);
    for (const auto& setting : conf.settings) {
      out_.row()
          .set("config", config)
          .set("key", to_lower(setting.key))
          .set("value", setting.value)
          .set("file", path)
          .set("line", setting.line);
    }
    for (const auto& include : conf.includes) follow(config, path, include, depth);
    return true;
  }

 private:
  void follow(std::string_view config, const std::string& from, const SlurmSetting& include, int depth) {
    const auto folder = from.substr(0, from.rfind('/') + 1);
    const std::string path = include.value.starts_with('/') ? include.value : folder + include.value;
    // %c, %h and the like stand for the cluster's and the host's name.
    if (depth >= kMaxIncludes || path.find('%') != std::string::npos) {
      out_.gap("*", "*", {ErrorCode::kUnsupported, concat({from, ": Include ", include.value, " was not followed"})});
    } else if (!read(config, path, depth + 1)) {
      out_.gap("*", "*",
               {ErrorCode::kNotFound, concat({from, ": Include ", include.value, ": there is no such file"})});
    }
  }

  TableReader& out_;
};

void read_slurm_config(TableReader& out) {
  SlurmReader reader(out);
  for (const auto folder : kFolders) {
    bool is_there = false;
    for (const auto config : kConfigs) {
      is_there = reader.read(config, concat({folder, "/", config, ".conf"}), 0) || is_there;
    }
    if (is_there) return;
  }
}

}  // namespace

Probe slurm_config_probe() {
  return {{"slurm_config",
           "Settings of slurm.conf(5), cgroup.conf(5) and gres.conf(5), Include followed; of the first of /etc/slurm, "
           "/etc/slurm-llnl and /run/slurm/conf that has any. One row for each Key=Value; none without Slurm.",
           kColumns},
          &read_slurm_config};
}

}  // namespace gpuharden
