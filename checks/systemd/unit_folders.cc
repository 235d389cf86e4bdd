// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_folders.h"

#include <algorithm>
#include <array>

#include "checks/systemd/unit_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

struct SearchFolder {
  std::string_view path;
  UnitFolderKind kind;
};

// systemd.unit(5), "System Unit Search Path", in its order.
constexpr std::array<SearchFolder, 13> kSearchPath = {{
    {"/etc/systemd/system.control", UnitFolderKind::kAdministrator},
    {"/run/systemd/system.control", UnitFolderKind::kRuntime},
    {"/run/systemd/transient", UnitFolderKind::kTransient},
    {"/run/systemd/generator.early", UnitFolderKind::kGenerator},
    {"/etc/systemd/system", UnitFolderKind::kAdministrator},
    {"/etc/systemd/system.attached", UnitFolderKind::kAdministrator},
    {"/run/systemd/system", UnitFolderKind::kRuntime},
    {"/run/systemd/system.attached", UnitFolderKind::kRuntime},
    {"/run/systemd/generator", UnitFolderKind::kGenerator},
    {"/usr/local/lib/systemd/system", UnitFolderKind::kVendor},
    {"/usr/lib/systemd/system", UnitFolderKind::kVendor},
    {"/lib/systemd/system", UnitFolderKind::kVendor},
    {"/run/systemd/generator.late", UnitFolderKind::kGenerator},
}};

constexpr std::array<std::string_view, 3> kPullSuffixes = {".wants", ".requires", ".upholds"};

// Lists a folder; one that is not there, or is no folder, has no entries.
std::vector<DirectoryEntry> entries_of(const Files& files, const std::string& path, std::vector<Error>& errors) {
  auto entries = files.list(path);
  if (entries) return std::move(*entries);
  const auto code = entries.error().code;
  if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) errors.push_back(entries.error());
  return {};
}

void add_pulls(const Files& files, const std::string& path, std::string_view by, UnitFolders& out) {
  for (const auto& entry : entries_of(files, path, out.errors)) {
    out.pulls.push_back({concat({path, "/", entry.name}), entry.name, std::string(by)});
  }
}

void add_entry(const Files& files, std::size_t folder, const DirectoryEntry& entry, UnitFolders& out) {
  const std::string path = concat({out.folders[folder].path, "/", entry.name});
  const std::string_view name = entry.name;
  if (name.ends_with(".d")) {
    out.drop_in_folders[std::string(name.substr(0, name.size() - 2))].push_back({folder, path, entry.type});
    return;
  }
  for (const auto suffix : kPullSuffixes) {
    if (name.ends_with(suffix)) return add_pulls(files, path, name.substr(0, name.size() - suffix.size()), out);
  }
  if (parse_unit_name(name)) out.entries[entry.name].push_back({folder, path, entry.type});
}

}  // namespace

bool UnitFolders::is_searched(std::string_view folder) const {
  return std::any_of(folders.begin(), folders.end(), [&](const UnitFolder& one) { return one.real_path == folder; });
}

UnitFolders list_unit_folders(const Files& files) {
  UnitFolders out;
  for (const auto& searched : kSearchPath) {
    auto real = files.real_path(searched.path);
    if (!real && real.error().code != ErrorCode::kNotFound) out.errors.push_back(real.error());
    // With a merged /usr, /lib is /usr/lib: its units are not to be found twice.
    if (!real || out.is_searched(*real)) continue;
    out.folders.push_back({std::string(searched.path), *real, searched.kind});
    for (const auto& entry : entries_of(files, *real, out.errors)) add_entry(files, out.folders.size() - 1, entry, out);
  }
  return out;
}

}  // namespace gpuharden
