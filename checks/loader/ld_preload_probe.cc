// SPDX-License-Identifier: GPL-2.0-or-later
// The libraries that the loader puts into every process of the machine.
#include "checks/environment/path_exposure.h"
#include "checks/loader/ld_so_text.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFile = "/etc/ld.so.preload";

constexpr Column kColumns[] = {
    {"library", ColumnType::kText, "as written: a path, or a name that the loader looks up",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/etc/ld.so.preload", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "of that file, from 1", ColumnFlag::kNotNull},
    {"is_present", ColumnType::kBoolean, "the library is there; NULL for a name without a slash"},
    {"changeable_by", ColumnType::kText,
     "who else than root can change the library, or could make it; NULL when nobody, or for a name without a slash"},
};

void read_ld_preload(TableReader& out) {
  const auto file = out.files().read(kFile);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) return out.gap(file.error());
  if (file->truncated) out.gap({ErrorCode::kTooLarge, concat({kFile, ": too large, its end was not read"})});
  PathExposure exposure(out.files());
  for (const auto& entry : parse_ld_preload(file->bytes)) {
    auto row = out.row();
    row.set("library", entry.library).set("file", kFile).set("line", entry.line);
    if (!entry.library.starts_with('/')) continue;
    const auto exists = exposure.exists(entry.library);
    row.set("is_present", exists);
    const auto reason = exposure.of(entry.library);
    row.set("changeable_by", reason);
  }
}

}  // namespace

Probe ld_preload_probe() {
  return {{"ld_preload", "The libraries that /etc/ld.so.preload names: ld.so loads them into every program.", kColumns},
          &read_ld_preload};
}

}  // namespace gpuharden
