// SPDX-License-Identifier: GPL-2.0-or-later
// Which distribution and release this is.
#include "checks/system/os_release.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"id", ColumnType::kText, "ID=, lower case: debian, ubuntu; \"linux\" when the file does not say",
     ColumnFlag::kNotNull},
    {"id_like", ColumnType::kText, "ID_LIKE=, a blank-separated list of related distributions"},
    {"version_id", ColumnType::kVersion, "VERSION_ID=: 12, 24.04; NULL on rolling releases"},
    {"version", ColumnType::kText, "VERSION=, for people: 24.04.4 LTS (Noble Numbat)"},
    {"codename", ColumnType::kText, "VERSION_CODENAME=: bookworm, noble"},
    {"pretty_name", ColumnType::kText, "PRETTY_NAME=, for people"},
    {"file", ColumnType::kPath, "/etc/os-release or /usr/lib/os-release", ColumnFlag::kNotNull},
};

void read_os_release(TableReader& out) {
  for (const auto* path : {"/etc/os-release", "/usr/lib/os-release"}) {
    const auto file = out.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) continue;
    if (!file) return out.gap(file.error());
    if (file->truncated) out.gap({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    const auto values = parse_os_release(file->bytes);
    const auto value = [&](std::string_view name) -> std::optional<std::string> {
      const auto found = values.find(name);
      return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    out.row()
        .set("id", value("ID").value_or("linux"))
        .set("id_like", value("ID_LIKE"))
        .set("version_id", value("VERSION_ID"))
        .set("version", value("VERSION"))
        .set("codename", value("VERSION_CODENAME"))
        .set("pretty_name", value("PRETTY_NAME"))
        .set("file", path);
    return;
  }
  out.gap({ErrorCode::kNotFound, "neither /etc/os-release nor /usr/lib/os-release is there"});
}

}  // namespace

Probe os_release_probe() {
  return {{"os_release", "The distribution and its release, from os-release(5). One row.", kColumns}, &read_os_release};
}

}  // namespace gpuharden
