// SPDX-License-Identifier: GPL-2.0-or-later
// Whatever files a rule names.
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"glob", ColumnType::kText, "the absolute pattern that is asked for: * ? [..] in each component; no **",
     ColumnFlag::kArgument | ColumnFlag::kNotNull},
    {"path", ColumnType::kPath, "a match", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"type", ColumnType::kText, "file, directory, symlink, character device, block device, fifo, socket"},
    {"mode", ColumnType::kMode, "permission bits"},
    {"uid", ColumnType::kInteger, "owner"},
    {"gid", ColumnType::kInteger, "group"},
    {"size", ColumnType::kInteger, "bytes; 0 for files of /proc"},
    {"mtime", ColumnType::kInteger, "time of the last change, seconds since the epoch"},
    {"link_target", ColumnType::kText, "a symbolic link's own text"},
    {"is_setuid", ColumnType::kBoolean, "whether a regular file has the set-user-id bit"},
    {"changeable_by", ColumnType::kText,
     "the first folder above it, or the file itself, that an account other than root can change, and why; NULL when "
     "none"},
};

void set_link_target(const TableReader& out, Row& row, const std::string& path) {
  const auto target = out.files().read_link(path);
  row.set("link_target", target);
}

void set_changeable_by(const TableReader& out, Row& row, const std::string& path) {
  const auto changeable = changeable_by_others(out.files(), path);
  if (changeable) {
    row.set("changeable_by", *changeable);
  } else if (changeable.error().code != ErrorCode::kNotFound) {  // a dangling link names nothing
    row.unread("changeable_by", changeable.error());
  }
}

void add_file(TableReader& out, std::string_view glob, const std::string& path) {
  const auto stat = out.files().lstat(path);
  if (!stat && stat.error().code == ErrorCode::kNotFound) return;
  if (!stat) return out.gap(path, "*", stat.error());
  auto row = out.row();
  row.set("glob", glob)
      .set("path", path)
      .set("type", to_string(stat->type))
      .set("mode", stat->mode)
      .set("uid", stat->uid)
      .set("gid", stat->gid)
      .set("size", stat->size)
      .set("mtime", stat->mtime)
      .set("is_setuid", stat->type == FileType::kRegular && (stat->mode & 04000U) != 0);
  if (stat->type == FileType::kSymlink && out.wants("link_target")) set_link_target(out, row, path);
  if (out.wants("changeable_by")) set_changeable_by(out, row, path);
}

void read_files(TableReader& out) {
  const auto glob = out.argument("glob");
  if (glob.empty() || glob[0] != '/') {
    return out.gap({ErrorCode::kMalformed, concat({"\"", glob, "\": not an absolute pattern"})});
  }
  std::vector<Error> errors;
  for (const auto& path : expand_glob(out.files(), glob, errors)) add_file(out, glob, path);
  for (const auto& error : errors) out.gap(error);
}

}  // namespace

Probe files_probe() {
  return {{"files",
           "Files that match a pattern: files('/etc/ssl/private/*'). Links are not followed in the last component.",
           kColumns},
          &read_files};
}

}  // namespace gpuharden
