// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/udev_files.h"

#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 5> kFolders = {"/etc/udev/rules.d", "/run/udev/rules.d",
                                                      "/usr/local/lib/udev/rules.d", "/usr/lib/udev/rules.d",
                                                      "/lib/udev/rules.d"};
constexpr std::array<std::string_view, 1> kSuffixes = {".rules"};

UdevFiles read_udev_files(const Host& host) {
  auto conf = read_conf_files(host.files(), kFolders, kSuffixes);
  UdevFiles out{{}, std::move(conf.errors)};
  for (const auto& file : conf.files) {
    std::vector<std::uint32_t> bad_lines;
    out.files.push_back({file.path, parse_udev_rules(file.bytes, bad_lines)});
    if (bad_lines.empty()) continue;
    out.errors.push_back({file.path,
                          {ErrorCode::kMalformed, concat({file.path, ":", std::to_string(bad_lines[0]),
                                                          ": not understood, and left out as udev does"})}});
  }
  return out;
}

}  // namespace

const UdevFiles& udev_files_of(SharedFacts& shared, const Host& host) {
  return shared.get<UdevFiles>(host, read_udev_files);
}

}  // namespace gpuharden
