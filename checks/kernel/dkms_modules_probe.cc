// SPDX-License-Identifier: GPL-2.0-or-later
// What DKMS builds, and for which kernels.
#include <algorithm>
#include <set>

#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"module", ColumnType::kText, "DKMS's name for the package of modules: nvidia",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"version", ColumnType::kVersion, "its version, the folder in the DKMS tree", ColumnFlag::kNotNull},
    {"kernel", ColumnType::kText, "release it was built for; NULL when it was built for none"},
    {"arch", ColumnType::kText, "architecture it was built for; NULL when it was built for none"},
    {"state", ColumnType::kText,
     "added (not built), built, installed, installed-weak (another kernel's build is linked in weak-updates) or broken "
     "(the source, or what a weak link leads to, is gone)",
     ColumnFlag::kNotNull},
    {"running", ColumnType::kBoolean, "whether `kernel` is the running one"},
    {"source", ColumnType::kPath, "where the link \"source\" leads inside the root; its text when it leads nowhere"},
    {"source_exists", ColumnType::kBoolean, "whether that is a folder", ColumnFlag::kNotNull},
    {"source_package", ColumnType::kText, "package that owns the source's dkms.conf; NULL when none does"},
    {"built_files", ColumnType::kInteger, "number of module files built", ColumnFlag::kNotNull},
    {"missing_files", ColumnType::kInteger, "those of them that are not in the kernel's modules folder",
     ColumnFlag::kNotNull},
    {"original_module", ColumnType::kBoolean, "whether DKMS put the kernel's own module aside", ColumnFlag::kNotNull},
    {"autoinstall", ColumnType::kBoolean, "whether AUTOINSTALL of dkms.conf is yes: it is built for every new kernel"},
    {"hooks", ColumnType::kText,
     "commands dkms.conf has DKMS run as root, as PRE_BUILD=… POST_INSTALL=…, separated by \"; \"; "
     "empty for none"},
    {"conf_changeable_by", ColumnType::kText,
     "who else than root can change the source's dkms.conf, which DKMS runs as root; NULL when nobody can"},
};

std::string hooks_of(const DkmsConf& conf) {
  std::vector<std::string> hooks;
  for (const auto& assignment : conf.assignments) {
    const bool is_hook = assignment.name.starts_with("PRE_") || assignment.name.starts_with("POST_");
    if (is_hook && !assignment.value.empty()) hooks.push_back(assignment.name + "=" + assignment.value);
  }
  return join(hooks, "; ");
}

std::optional<bool> autoinstall_of(const DkmsConf& conf) {
  const auto* assignment = conf.find("AUTOINSTALL");
  if (assignment == nullptr) return false;
  if (assignment->is_computed) return std::nullopt;
  return equals_ignore_case(assignment->value, "yes");
}

// Facts about the source, which every build of a version shares.
struct Source {
  std::optional<std::string> package;
  std::optional<Error> package_error;
  Result<std::optional<std::string>> changeable_by = std::optional<std::string>();
};

Source read_source(const DkmsVersion& version, TableReader& out) {
  Source source;
  if (!version.source_exists) return source;
  const auto conf = version.source + "/dkms.conf";
  if (out.wants("source_package")) {
    const auto owners = package_owners(out, {conf});
    if (!owners) source.package_error = owners.error();
    if (owners && owners->contains(conf)) source.package = owners->at(conf);
  }
  if (out.wants("conf_changeable_by")) source.changeable_by = changeable_by_others(out.files(), conf);
  return source;
}

void set_source(Row& row, const DkmsVersion& version, const Source& source) {
  row.set("source", version.source).set("source_exists", version.source_exists);
  source.package_error ? row.unread("source_package", *source.package_error)
                       : row.set("source_package", source.package);
  row.set("conf_changeable_by", source.changeable_by);
  if (version.conf_error) {
    row.unread("autoinstall", *version.conf_error).unread("hooks", *version.conf_error);
  } else if (version.source_exists) {
    const auto autoinstall = autoinstall_of(version.conf);
    const Error computed{ErrorCode::kUnsupported, version.source + "/dkms.conf: only a shell knows AUTOINSTALL"};
    autoinstall ? row.set("autoinstall", *autoinstall) : row.unread("autoinstall", computed);
    row.set("hooks", hooks_of(version.conf));
  }
}

void set_build(Row& row, const DkmsBuild& build, const Result<std::string>& release) {
  row.set("state", to_string(build.state))
      .set("built_files", static_cast<std::int64_t>(build.files.size()))
      .set("missing_files",
           static_cast<std::int64_t>(std::count_if(build.files.begin(), build.files.end(),
                                                   [](const DkmsFile& file) { return !file.installed; })))
      .set("original_module", build.has_original);
  if (build.kernel.empty()) return;
  row.set("kernel", build.kernel).set("arch", build.arch);
  release ? row.set("running", build.kernel == *release) : row.unread("running", release.error());
}

void read_dkms_modules(TableReader& out) {
  const auto& tree = dkms_tree(out);
  for (const auto& error : tree.errors) out.gap(error);
  const auto release = running_release(out.host());
  for (const auto& version : tree.versions) {
    const Source source = read_source(version, out);
    for (const auto& build : version.builds) {
      auto row = out.row();
      row.set("module", version.module).set("version", version.version);
      set_build(row, build, release);
      set_source(row, version, source);
    }
  }
}

}  // namespace

Probe dkms_modules_probe() {
  return {{"dkms_modules",
           "One row for each module version and kernel in the DKMS tree, and one for each version that was built for "
           "no kernel.",
           kColumns},
          &read_dkms_modules};
}

}  // namespace gpuharden
