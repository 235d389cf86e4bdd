// SPDX-License-Identifier: GPL-2.0-or-later
// The part of TOML that the configuration of NVIDIA's container toolkit is written in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct TomlSetting {
  std::string name;   // with the names of its tables: nvidia-container-cli.no-cgroups
  std::string value;  // a string without its quotes, everything else as written; a list on one line
  std::uint32_t line = 0;
};

struct TomlText {
  std::vector<TomlSetting> settings;
  // Lines that are not understood, and names that are there twice, which no reader of TOML accepts: with
  // any the whole file counts for nothing.
  std::vector<std::uint32_t> faults;
};

TomlText parse_toml(std::string_view text);

}  // namespace gpuharden
