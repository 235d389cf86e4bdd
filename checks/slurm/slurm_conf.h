// SPDX-License-Identifier: GPL-2.0-or-later
// The format that slurm.conf(5), cgroup.conf(5) and gres.conf(5) share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct SlurmSetting {
  std::string key;  // as written; Slurm compares keys without regard to case
  std::string value;
  std::uint32_t line = 0;  // of the first physical line
};

struct SlurmConf {
  std::vector<SlurmSetting> settings;  // in order; a line of a node or partition gives one for each of its words
  std::vector<SlurmSetting> includes;  // value: the path as written
};

// Comments end a line, a backslash at its end joins the next one, several Key=Value may share a line.
SlurmConf parse_slurm_conf(std::string_view text);

}  // namespace gpuharden
