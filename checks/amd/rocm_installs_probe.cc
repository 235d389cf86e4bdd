// SPDX-License-Identifier: GPL-2.0-or-later
// Which ROCm releases lie in /opt, side by side or not, and whether others could have changed them.
#include <algorithm>
#include <set>

#include "checks/amd/rocm_version.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the release's folder, links resolved", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"is_default", ColumnType::kBoolean, "whether /opt/rocm leads here", ColumnFlag::kNotNull},
    {"version", ColumnType::kVersion,
     "its release, from .info/version or another .info/version-*, else from the folder's name; NULL when none says"},
    {"version_text", ColumnType::kText, "the whole text of that file; NULL when the folder's name said it"},
    {"file", ColumnType::kPath, "the file that says it; NULL when the folder's name said it"},
    {"folder_version", ColumnType::kVersion,
     "the version in the folder's name: /opt/rocm-7.2.1; NULL when it has none"},
    {"changeable_by", ColumnType::kText, "who else than root can change the folder; NULL when nobody"},
};

constexpr std::string_view kOpt = "/opt";
constexpr std::string_view kDefault = "/opt/rocm";

bool is_absent(const Error& error) { return error.code == ErrorCode::kNotFound; }

std::optional<std::string> folder_version(std::string_view path) {
  const auto dash = path.rfind('-');
  return dash == std::string_view::npos ? std::nullopt : parse_rocm_version(path.substr(dash + 1));
}

class InstallReader {
 public:
  explicit InstallReader(TableReader& out) : out_(out) {}

  void read() {
    const auto entries = out_.files().list(kOpt);
    if (!entries && is_absent(entries.error())) return;
    if (!entries) return out_.gap(entries.error());
    const auto linked = out_.files().real_path(kDefault);
    if (linked) default_ = *linked;
    if (!linked && !is_absent(linked.error())) out_.gap(linked.error());
    for (const auto& entry : *entries) {
      if (entry.name.starts_with("rocm")) add(concat({kOpt, "/", entry.name}));
    }
  }

 private:
  // A folder, and below it those of releases that lie in one common folder (/opt/rocm/core-7.14).
  void add(const std::string& path) {
    const auto real = out_.files().real_path(path);
    if (!real && is_absent(real.error())) return;  // a link that leads nowhere
    if (!real) return out_.gap(path, "*", real.error());
    if (!seen_.insert(*real).second) return;
    const auto entries = out_.files().list(*real);
    if (!entries && entries.error().code == ErrorCode::kNotRegular) return;
    if (!entries) return is_absent(entries.error()) ? void() : out_.gap(*real, "*", entries.error());
    bool is_release = false;
    for (const auto& entry : *entries) {
      is_release = is_release || entry.name == ".info" || entry.name == "lib";
      if (entry.name.starts_with("core-")) add(concat({*real, "/", entry.name}));
    }
    if (is_release) add_release(*real);
  }

  void add_release(const std::string& path) {
    auto row = out_.row();
    row.set("path", path).set("is_default", path == default_ || is_inside_default(path));
    row.set("folder_version", folder_version(path));
    set_version(row, path);
    const auto writer = changeable_by_others(out_.files(), path);
    row.set("changeable_by", writer);
  }

  bool is_inside_default(const std::string& path) const { return path.starts_with(concat({default_, "/core-"})); }

  // .info/version speaks for the release, .info/version-* for its parts.
  void set_version(Row& row, const std::string& path) {
    std::vector<std::string> names;
    const auto entries = out_.files().list(concat({path, "/.info"}));
    if (!entries && !is_absent(entries.error())) return unread(row, entries.error());
    if (entries) {
      for (const auto& entry : *entries) {
        if (entry.name == "version" || entry.name.starts_with("version-")) names.push_back(entry.name);
      }
    }
    for (const auto& name : names) {
      const std::string file = concat({path, "/.info/", name});
      const auto bytes = out_.files().read(file);
      if (!bytes) return unread(row, bytes.error());
      const auto version = parse_rocm_version(bytes->bytes);
      if (!version && name == "version")
        return unread(row, {ErrorCode::kMalformed, concat({file, ": no version in it"})});
      if (!version) continue;
      row.set("version", *version).set("version_text", trim(bytes->bytes)).set("file", file);
      return;
    }
    row.set("version", folder_version(path));
  }

  static void unread(Row& row, const Error& error) {
    for (const auto* column : {"version", "version_text", "file"}) row.unread(column, error);
  }

  TableReader& out_;
  std::string default_;
  std::set<std::string> seen_;
};

void read_rocm_installs(TableReader& out) { InstallReader(out).read(); }

}  // namespace

Probe rocm_installs_probe() {
  return {{"rocm_installs", "ROCm releases in /opt/rocm*, one row each; several may lie side by side.", kColumns},
          &read_rocm_installs};
}

}  // namespace gpuharden
