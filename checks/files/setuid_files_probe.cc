// SPDX-License-Identifier: GPL-2.0-or-later
// Programs that run with more rights than who starts them.
#include <set>

#include "checks/environment/path_exposure.h"
#include "checks/files/file_capabilities.h"
#include "checks/files/package_owners.h"
#include "checks/system/json_list.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the file, links resolved", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"mode", ColumnType::kMode, "permission bits", ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "owner", ColumnFlag::kNotNull},
    {"gid", ColumnType::kInteger, "group", ColumnFlag::kNotNull},
    {"setuid", ColumnType::kBoolean, "runs as its owner", ColumnFlag::kNotNull},
    {"setgid", ColumnType::kBoolean, "runs with its group", ColumnFlag::kNotNull},
    {"capabilities", ColumnType::kText, "JSON list of file capabilities: cap_net_raw; empty when it has none",
     ColumnFlag::kNotNull},
    {"package", ColumnType::kText, "the package that dpkg knows the file from; NULL when none has it"},
    {"changeable_by", ColumnType::kText, "who else than root can change the file; NULL when nobody"},
};

constexpr std::string_view kFolders[] = {
    "/usr/bin",     "/usr/sbin", "/bin",       "/sbin", "/usr/local/bin", "/usr/local/sbin",
    "/usr/libexec", "/usr/lib",  "/usr/lib64", "/lib",  "/usr/local/lib", "/usr/local/libexec"};
// Folders whose own folders are looked into as well.
constexpr std::string_view kNested[] = {"/usr/lib", "/usr/libexec", "/usr/local/lib", "/opt"};
constexpr std::size_t kMostFiles = 200000;

struct Found {
  std::string path;
  FileStat stat;
  FileCapabilities capabilities;
};

class Search {
 public:
  explicit Search(TableReader& out) : out_(out) {}

  void look_into(const std::string& folder, int depth) {
    const auto real = out_.files().real_path(folder);
    if (!real && real.error().code == ErrorCode::kNotFound) return;
    if (!real) return out_.gap(real.error());
    if (!seen_.insert(*real).second) return;
    const auto entries = out_.files().list(*real);
    if (!entries && entries.error().code == ErrorCode::kNotRegular) return;
    if (!entries) return out_.gap(entries.error());
    for (const auto& entry : *entries) {
      const auto path = concat({*real, "/", entry.name});
      if (entry.type == FileType::kDirectory && depth > 0) look_into(path, depth - 1);
      if (entry.type == FileType::kRegular || entry.type == FileType::kUnknown) look_at(path);
    }
  }

  std::vector<Found> found() && { return std::move(found_); }

 private:
  void look_at(const std::string& path) {
    if (++files_ == kMostFiles) out_.gap({ErrorCode::kTooLarge, "more programs than are looked at"});
    if (files_ >= kMostFiles) return;
    const auto stat = out_.files().lstat(path);
    if (!stat && stat.error().code == ErrorCode::kNotFound) return;
    if (!stat) return out_.gap(path, "*", stat.error());
    if (stat->type != FileType::kRegular) return;
    const bool is_executable = (stat->mode & 0111U) != 0;
    const bool has_bits = is_executable && (stat->mode & 06000U) != 0;
    const auto capabilities = is_executable ? capabilities_of(path) : FileCapabilities();
    if (has_bits || capabilities.permitted != 0) found_.push_back({path, *stat, capabilities});
  }

  FileCapabilities capabilities_of(const std::string& path) {
    const auto bytes = out_.files().xattr(path, "security.capability");
    if (!bytes && bytes.error().code == ErrorCode::kNotFound) return {};
    if (!bytes) return out_.gap(path, "*", bytes.error()), FileCapabilities();
    const auto parsed = parse_file_capabilities(*bytes);
    if (!parsed) out_.gap(path, "*", {ErrorCode::kMalformed, concat({path, ": its capabilities make no sense"})});
    return parsed.value_or(FileCapabilities());
  }

  TableReader& out_;
  std::set<std::string> seen_;
  std::vector<Found> found_;
  std::size_t files_ = 0;
};

using Owners = Result<std::map<std::string, std::string>>;

void set_package(const Found& file, const Owners& owners, Row& row) {
  if (!owners) {
    row.unread("package", owners.error());
    return;
  }
  const auto owner = owners->find(file.path);
  if (owner != owners->end()) row.set("package", owner->second);
}

void read_setuid_files(TableReader& out) {
  Search search(out);
  for (const auto folder : kNested) search.look_into(std::string(folder), folder == "/opt" ? 2 : 1);
  for (const auto folder : kFolders) search.look_into(std::string(folder), 0);
  const auto found = std::move(search).found();
  std::set<std::string> paths;
  for (const auto& file : found) paths.insert(file.path);
  const auto owners =
      out.wants("package") ? find_package_owners(out.files(), paths) : Owners(std::map<std::string, std::string>());
  PathExposure exposure(out.files());
  for (const auto& file : found) {
    auto row = out.row();
    row.set("path", file.path)
        .set("mode", file.stat.mode)
        .set("uid", file.stat.uid)
        .set("gid", file.stat.gid)
        .set("setuid", (file.stat.mode & 04000U) != 0)
        .set("setgid", (file.stat.mode & 02000U) != 0)
        .set("capabilities", json_list(capability_names(file.capabilities.permitted)));
    set_package(file, owners, row);
    if (!out.wants("changeable_by")) continue;
    const auto reason = exposure.of(file.path);
    row.set("changeable_by", reason);
  }
}

}  // namespace

Probe setuid_files_probe() {
  return {
      {"setuid_files",
       "Programs with the set-user-id or set-group-id bit or with file capabilities, in the folders of programs and "
       "libraries: /usr/bin, /usr/sbin, /usr/lib, /usr/libexec and one level below these two, /usr/local, and two "
       "levels of /opt. Other places are not searched.",
       kColumns, TableCost::kDeep},
      &read_setuid_files};
}

}  // namespace gpuharden
