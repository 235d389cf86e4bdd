// SPDX-License-Identifier: GPL-2.0-or-later
// Which sources are preferred over others.
#include "checks/apt/apt_preferences.h"
#include "checks/apt/apt_settings.h"
#include "checks/apt/source_vendor.h"
#include "checks/system/if_any.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kMainFile = "/etc/apt/preferences";
constexpr std::string_view kFolder = "/etc/apt/preferences.d";

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "/etc/apt/preferences or a file of /etc/apt/preferences.d that apt reads",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where the stanza begins, from 1", ColumnFlag::kNotNull},
    {"packages", ColumnType::kText, "its Package field: names, globs and /expressions/ with blanks between",
     ColumnFlag::kNotNull},
    {"covers_all", ColumnType::kBoolean, "it is for every package", ColumnFlag::kNotNull},
    {"pin", ColumnType::kText, "its Pin field: release o=repo.radeon.com", ColumnFlag::kNotNull},
    {"kind", ColumnType::kText, "version, release or origin; NULL for what apt does not know"},
    {"origin", ColumnType::kText, "o= of a release pin; NULL when not named"},
    {"label", ColumnType::kText, "l= of a release pin; NULL when not named"},
    {"archive", ColumnType::kText, "a= of a release pin; NULL when not named"},
    {"codename", ColumnType::kText, "n= of a release pin; NULL when not named"},
    {"site", ColumnType::kText, "the host of an origin pin; NULL for others"},
    {"priority", ColumnType::kInteger,
     "Pin-Priority: 500 is that of every source, from 1000 on packages are downgraded too, below 0 never installed"},
    {"vendor", ColumnType::kText, "nvidia or amd, by the origin, label or host that it names; NULL for others"},
    {"fault", ColumnType::kText, "why apt refuses the stanza; NULL when it does not"},
};

void read_file(TableReader& out, const std::string& path) {
  const auto file = out.files().read(path);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) return out.gap(path, "*", file.error());
  if (file->truncated) out.gap(path, "*", {ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
  for (const auto& pin : parse_apt_preferences(file->bytes)) {
    const auto by_host = vendor_of_place(pin.site, "");
    const auto vendor = by_host.empty() ? vendor_of_release(pin.origin, pin.label) : by_host;
    out.row()
        .set("file", path)
        .set("line", pin.line)
        .set("packages", join(pin.packages, " "))
        .set("covers_all", pin.covers_all)
        .set("pin", pin.pin)
        .set("kind", if_any(pin.kind))
        .set("origin", if_any(pin.origin))
        .set("label", if_any(pin.label))
        .set("archive", if_any(pin.archive))
        .set("codename", if_any(pin.codename))
        .set("site", if_any(pin.site))
        .set("priority", pin.priority)
        .set("vendor", if_any(vendor))
        .set("fault", if_any(pin.fault));
  }
}

void read_apt_pins(TableReader& out) {
  const auto& settings = apt_settings_of(out.shared(), out.host());
  for (const auto* name : {"dir::etc::preferences", "dir::etc::preferencesparts"}) {
    const auto found = settings.settings.all().find(name);
    if (found == settings.settings.all().end()) continue;
    out.gap({ErrorCode::kUnsupported, concat({found->second.file, ": ", found->second.name,
                                              " sends apt to preferences that are not looked at"})});
  }
  for (const auto& error : settings.errors) out.gap(error);
  read_file(out, std::string(kMainFile));
  const auto entries = out.files().list(kFolder);
  if (!entries && entries.error().code == ErrorCode::kNotFound) return;
  if (!entries) return out.gap(entries.error());
  for (const auto& entry : *entries) {
    if (is_apt_preferences_name(entry.name)) read_file(out, concat({kFolder, "/", entry.name}));
  }
}

}  // namespace

Probe apt_pins_probe() {
  return {{"apt_pins", "The stanzas of apt_preferences(5) files: which versions and sources apt prefers.", kColumns},
          &read_apt_pins};
}

}  // namespace gpuharden
