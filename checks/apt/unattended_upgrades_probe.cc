// SPDX-License-Identifier: GPL-2.0-or-later
// From which sources unattended-upgrades installs, and what it leaves out.
#include "checks/apt/apt_settings.h"
#include "checks/apt/upgrade_origin.h"
#include "checks/system/os_release.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the file that sets it", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "of that file, from 1", ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "origin (packages from there are installed) or blacklist (packages of that name are left out)",
     ColumnFlag::kNotNull},
    {"written", ColumnType::kText, "the item as written", ColumnFlag::kNotNull},
    {"pattern", ColumnType::kText,
     "the item with ${distro_id} and ${distro_codename} replaced; of the blacklist an expression that matches from the "
     "name's beginning",
     ColumnFlag::kNotNull},
    {"origin", ColumnType::kText, "glob over the Release file's Origin; NULL for the blacklist"},
    {"label", ColumnType::kText, "glob over its Label"},
    {"archive", ColumnType::kText, "glob over its Suite"},
    {"codename", ColumnType::kText, "glob over its Codename"},
    {"component", ColumnType::kText, "glob over the component"},
    {"site", ColumnType::kText, "glob over the host"},
    {"unknown", ColumnType::kText, "a part that unattended-upgrades does not understand, and stops at; NULL when none"},
};

constexpr std::string_view kAllowed = "unattended-upgrade::allowed-origins";
constexpr std::string_view kPatterns = "unattended-upgrade::origins-pattern";
constexpr std::string_view kBlacklist = "unattended-upgrade::package-blacklist";

// The id as lsb_release prints it, and the codename.
struct Distro {
  std::string id, codename;
};

Distro read_distro(const Files& files) {
  for (const auto* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto file = files.read(path);
    if (!file) continue;
    auto values = parse_os_release(file->bytes);
    Distro distro{values["ID"], values["VERSION_CODENAME"]};
    if (!distro.id.empty() && distro.id[0] >= 'a' && distro.id[0] <= 'z')
      distro.id[0] = static_cast<char>(distro.id[0] - 'a' + 'A');
    return distro;
  }
  return {};
}

bool is_item_of(std::string_view name, std::string_view list) {
  return name.size() > list.size() + 2 && name.starts_with(list) && name.substr(list.size(), 2) == "::";
}

void set_origin(const UpgradeOrigin& origin, Row& row) {
  row.set("origin", origin.origin)
      .set("label", origin.label)
      .set("archive", origin.archive)
      .set("codename", origin.codename)
      .set("component", origin.component)
      .set("site", origin.site);
  if (!origin.unknown.empty()) row.set("unknown", origin.unknown);
}

void read_unattended_upgrades(TableReader& out) {
  const auto& facts = apt_settings_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap(error);
  const auto distro = read_distro(out.files());
  for (const auto& [name, setting] : facts.settings.all()) {
    const bool is_allowed = is_item_of(name, kAllowed);
    const bool is_blacklist = is_item_of(name, kBlacklist);
    if ((!is_allowed && !is_blacklist && !is_item_of(name, kPatterns)) || setting.value.empty()) continue;
    const auto pattern = expand_distro(setting.value, distro.id, distro.codename);
    auto row = out.row();
    row.set("file", setting.file)
        .set("line", setting.line)
        .set("kind", is_blacklist ? "blacklist" : "origin")
        .set("written", setting.value)
        .set("pattern", pattern);
    if (!is_blacklist) set_origin(is_allowed ? parse_allowed_origin(pattern) : parse_origins_pattern(pattern), row);
  }
}

}  // namespace

Probe unattended_upgrades_probe() {
  return {{"unattended_upgrades",
           "The origins from which unattended-upgrades installs and the packages that it leaves out, from the merged "
           "settings of apt. Its switches are in apt_config.",
           kColumns},
          &read_unattended_upgrades};
}

}  // namespace gpuharden
