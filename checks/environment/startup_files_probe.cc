// SPDX-License-Identifier: GPL-2.0-or-later
// The start-up files that exist, and what they are.
#include "checks/environment/environment_facts.h"
#include "checks/environment/path_exposure.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the file, from a fixed list of names", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"user", ColumnType::kText, "whose home it is in; NULL for the system's files"},
    {"scope", ColumnType::kText, "login, user, skeleton, user-manager or user-unit, as in env_assignments",
     ColumnFlag::kNotNull},
    {"syntax", ColumnType::kText, "what reads it: shell, fish, csh, pam, …; other for configuration of tools",
     ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "file, directory, symlink, fifo, socket, character device, …: of the path itself",
     ColumnFlag::kNotNull},
    {"link_target", ColumnType::kText, "text of the link; NULL where it is none"},
    {"present", ColumnType::kBoolean, "0 for a link that leads nowhere", ColumnFlag::kNotNull},
    {"is_regular", ColumnType::kBoolean, "1 when it is, or leads to, a regular file; NULL when it leads nowhere"},
    {"is_foreign", ColumnType::kBoolean,
     "1 when a user's link leads to a file that the user may not read; it was not read", ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "owner of the file it leads to"},
    {"mode", ColumnType::kMode, "permission bits of the file it leads to"},
    {"size", ColumnType::kInteger, "bytes"},
    {"changeable_by", ColumnType::kText,
     "why others than root (and the user whose home it is) can change it; NULL when they cannot"},
};

void add_file(TableReader& out, const StartupFile& file, PathExposure& exposure) {
  Row row = out.row();
  row.set("path", file.path)
      .set("user", file.user)
      .set("scope", file.scope)
      .set("syntax", file.syntax)
      .set("type", to_string(file.link_type))
      .set("link_target", file.link_target)
      .set("present", file.stat.has_value())
      .set("is_foreign", file.is_foreign);
  if (!file.stat) return;
  row.set("is_regular", file.stat->type == FileType::kRegular)
      .set("uid", file.stat->uid)
      .set("mode", file.stat->mode)
      .set("size", file.stat->size);
  if (!out.wants("changeable_by")) return;
  const auto reason = exposure.of_file(file.path, *file.stat, file.owner);
  row.set("changeable_by", reason);
}

void read_startup_files(TableReader& out) {
  const auto& facts = environment_facts(out.host(), out.shared());
  PathExposure exposure(out.files());
  for (const auto& file : facts.startup_files) add_file(out, file, exposure);
  for (const auto& gap : facts.gaps) {
    // What a row says already is no gap here: that a start-up file is a FIFO, or too large.
    const bool is_row = gap.error.code == ErrorCode::kNotRegular || gap.error.code == ErrorCode::kTooLarge;
    if (!is_row || gap.file == "*") out.gap(gap.file, "*", gap.error);
  }
}

}  // namespace

Probe startup_files_probe() {
  return {{"startup_files",
           "Start-up files of shells, sessions and tools that exist: the system's, and those of the homes in "
           "/etc/passwd (a fixed list of names, never a walk). "
           "One row each.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_startup_files};
}

}  // namespace gpuharden
