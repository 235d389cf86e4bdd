// SPDX-License-Identifier: GPL-2.0-or-later
// Which packages are installed, from dpkg's own files: apt's cache is not built for it.
#include "checks/apt/dpkg_status.h"
#include "checks/apt/source_vendor.h"
#include "checks/system/if_any.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "package name, without architecture", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"architecture", ColumnType::kText, "amd64, all, …; empty when the database does not say", ColumnFlag::kNotNull},
    {"version", ColumnType::kVersion,
     "epoch, version and revision; NULL when only removed configuration is known without one"},
    {"state", ColumnType::kText,
     "installed, config-files, half-configured, unpacked, …; installed for status.d of images without dpkg",
     ColumnFlag::kNotNull},
    {"want", ColumnType::kText, "what the administrator selected: install, hold, deinstall, purge",
     ColumnFlag::kNotNull},
    {"installed", ColumnType::kBoolean, "its files are unpacked: any state but not-installed and config-files",
     ColumnFlag::kNotNull},
    {"held", ColumnType::kBoolean, "the selection is hold: apt does not upgrade it", ColumnFlag::kNotNull},
    {"gpu", ColumnType::kBoolean, "by its name a GPU driver, runtime or library of NVIDIA or AMD",
     ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "source package; the package's own name when the database does not say",
     ColumnFlag::kNotNull},
    {"source_version", ColumnType::kVersion, "of the source package; the package's own when the database does not say"},
    {"section", ColumnType::kText, "section of the archive, as non-free/libs; NULL when not given"},
    {"maintainer", ColumnType::kText,
     "name and address; tells a vendor's package from the distribution's; NULL when not given"},
    {"file", ColumnType::kPath, "/var/lib/dpkg/status or a file of /var/lib/dpkg/status.d", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "of its paragraph in that file, from 1", ColumnFlag::kNotNull},
};

constexpr std::string_view kStatus = "/var/lib/dpkg/status";
constexpr std::string_view kFolder = "/var/lib/dpkg/status.d";
constexpr std::size_t kStatusCap = std::size_t{64} << 20U;

std::string_view or_else(std::string_view text, std::string_view other) { return text.empty() ? other : text; }

void add_row(TableReader& out, const DpkgPackage& package, std::string_view path) {
  // Images without dpkg have no Status field: what has a file there is installed.
  const auto state = or_else(package.state, "installed");
  out.row()
      .set("name", package.name)
      .set("architecture", package.architecture)
      .set("version", if_any(package.version))
      .set("state", state)
      .set("want", or_else(package.want, "install"))
      .set("installed", state != "not-installed" && state != "config-files")
      .set("held", package.want == "hold")
      .set("gpu", is_gpu_package(package.name))
      .set("source", or_else(package.source, package.name))
      .set("source_version", if_any(or_else(package.source_version, package.version)))
      .set("section", if_any(package.section))
      .set("maintainer", if_any(package.maintainer))
      .set("file", path)
      .set("line", package.line);
}

// False when there is no such file.
bool read_file(TableReader& out, const std::string& path) {
  const auto file = out.files().read(path, kStatusCap);
  if (!file && file.error().code == ErrorCode::kNotFound) return false;
  if (!file) return out.gap(file.error()), true;
  if (file->truncated) out.gap({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
  std::vector<std::uint32_t> bad_lines;
  for (const auto& package : parse_dpkg_status(file->bytes, bad_lines)) add_row(out, package, path);
  if (!bad_lines.empty()) {
    out.gap({ErrorCode::kMalformed, concat({path, ":", std::to_string(bad_lines[0]), ": no package paragraph"})});
  }
  return true;
}

bool is_status_file(std::string_view name) {
  constexpr std::string_view kDigests = ".md5sums";
  return name.size() < kDigests.size() || name.substr(name.size() - kDigests.size()) != kDigests;
}

void read_packages(TableReader& out) {
  bool found = read_file(out, std::string(kStatus));
  const auto entries = out.files().list(kFolder);
  if (!entries && entries.error().code != ErrorCode::kNotFound) return out.gap(entries.error());
  if (entries) {
    for (const auto& entry : *entries) {
      if (is_status_file(entry.name)) found = read_file(out, concat({kFolder, "/", entry.name})) || found;
    }
  }
  if (!found) out.gap({ErrorCode::kNotFound, concat({kStatus, ": not there, installed packages are not known"})});
}

}  // namespace

Probe packages_probe() {
  return {{"packages", "Every package that dpkg knows, one row for each name and architecture, from its status file.",
           kColumns},
          &read_packages};
}

}  // namespace gpuharden
