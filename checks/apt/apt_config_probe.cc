// SPDX-License-Identifier: GPL-2.0-or-later
// apt's settings as they are in force, with the file that each comes from.
#include "checks/apt/apt_conf.h"
#include "checks/apt/source_options.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "full name in lower case: acquire::allowinsecurerepositories; the items of a list end in ::#1, ::#2, …",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"written", ColumnType::kText, "the name as the file writes it", ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "as set last; proxies may hold passwords", ColumnFlag::kNotNull | ColumnFlag::kSecret},
    {"boolean", ColumnType::kBoolean, "the value as a switch, as apt reads it; NULL when it is none"},
    {"file", ColumnType::kPath, "/etc/apt/apt.conf, a file of /etc/apt/apt.conf.d that apt reads, or one that these include", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where it is set, from 1", ColumnFlag::kNotNull},
};

constexpr std::string_view kMainFile = "/etc/apt/apt.conf";
constexpr std::string_view kFolder = "/etc/apt/apt.conf.d";
constexpr int kDeepestInclude = 10;
constexpr std::size_t kMostFiles = 1000;

class SettingsReader {
 public:
  explicit SettingsReader(TableReader& out) : out_(out) {}

  void take_folder(std::string_view folder, int depth) {
    const auto entries = out_.files().list(folder);
    if (!entries && entries.error().code == ErrorCode::kNotFound) return;
    if (!entries) return out_.gap(entries.error());
    for (const auto& entry : *entries) {
      if (is_apt_conf_name(entry.name)) take_file(concat({folder, "/", entry.name}), depth);
    }
  }

  void take_file(const std::string& path, int depth) {
    if (++files_ > kMostFiles || depth > kDeepestInclude) {
      return out_.gap({ErrorCode::kTooLarge, concat({path, ": more included files than are looked at"})});
    }
    const auto file = out_.files().read(path);
    if (!file) return take_unreadable(path, file.error());
    if (file->truncated) out_.gap({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    const auto conf = parse_apt_conf(file->bytes);
    for (const auto& statement : conf.statements) {
      settings_.apply(statement, path);
      if (statement.kind == AptConfStatement::Kind::kInclude) include(statement.name, depth);
    }
    if (!conf.fault.empty()) out_.gap({ErrorCode::kMalformed, concat({path, ": ", conf.fault, ", where apt stops with an error"})});
  }

  const AptSettings& settings() const { return settings_; }

 private:
  void take_unreadable(const std::string& path, const Error& error) {
    if (error.code == ErrorCode::kNotFound) return;
    const auto stat = out_.files().stat(path);
    if (!stat || stat->type != FileType::kDirectory) out_.gap(error);
  }

  void include(const std::string& name, int depth) {
    if (name.empty() || name[0] != '/') {
      return out_.gap({ErrorCode::kNotFound, concat({name, ": included by a relative name, it was not read"})});
    }
    const auto stat = out_.files().stat(name);
    if (stat && stat->type == FileType::kDirectory) return take_folder(name, depth + 1);
    take_file(name, depth + 1);
  }

  TableReader& out_;
  AptSettings settings_;
  std::size_t files_ = 0;
};

void read_apt_config(TableReader& out) {
  SettingsReader reader(out);
  reader.take_folder(kFolder, 0);
  reader.take_file(std::string(kMainFile), 0);
  for (const auto& [name, setting] : reader.settings().all()) {
    out.row()
        .set("name", name)
        .set("written", setting.name)
        .set("value", setting.value)
        .set("boolean", apt_boolean(setting.value))
        .set("file", setting.file)
        .set("line", setting.line);
  }
}

}  // namespace

Probe apt_config_probe() {
  return {{"apt_config", "The settings of apt.conf(5) files that are in force, one row each. Defaults that no file sets have no row.", kColumns},
          &read_apt_config};
}

}  // namespace gpuharden
