// SPDX-License-Identifier: GPL-2.0-or-later
// Whether what DKMS built is what lies in the modules folder.
#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "checks/kernel/module_file.h"
#include "checks/kernel/module_name.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"module", ColumnType::kText, "DKMS's name for the package of modules: nvidia", ColumnFlag::kNotNull},
    {"version", ColumnType::kVersion, "its version", ColumnFlag::kNotNull},
    {"kernel", ColumnType::kText, "release it was built for", ColumnFlag::kNotNull},
    {"arch", ColumnType::kText, "architecture it was built for", ColumnFlag::kNotNull},
    {"state", ColumnType::kText, "state of the build, as in dkms_modules", ColumnFlag::kNotNull},
    {"running", ColumnType::kBoolean, "whether `kernel` is the running one"},
    {"name", ColumnType::kText, "name of the kernel module: nvidia_uvm", ColumnFlag::kNotNull},
    {"built_file", ColumnType::kPath, "file in the DKMS tree", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"installed_file", ColumnType::kPath, "file in /lib/modules/<kernel>; NULL when it is not there"},
    {"differs", ColumnType::kBoolean,
     "whether the two hold different bytes, however each is compressed; NULL when one is not there"},
    {"signed", ColumnType::kBoolean, "whether a signature is appended to the installed file, else to the built one"},
    {"signer", ColumnType::kText, "common name of who signed it; NULL when it is unsigned or the name is not known"},
};

void set_signature(Row& row, const std::string& path, TableReader& out) {
  if (!out.wants("signed") && !out.wants("signer")) return;
  const auto signature = module_file_signature(out.files(), path);
  if (!signature) {
    row.unread("signed", signature.error()).unread("signer", signature.error());
    return;
  }
  row.set("signed", signature->is_signed).set("signer", signature->signer);
}

void add_row(const DkmsVersion& version, const DkmsBuild& build, const DkmsFile& file, TableReader& out) {
  const auto release = running_release(out.host());
  auto row = out.row();
  row.set("module", version.module)
      .set("version", version.version)
      .set("kernel", build.kernel)
      .set("arch", build.arch)
      .set("state", to_string(build.state))
      .set("name", module_name_of_file(file.built))
      .set("built_file", file.built)
      .set("installed_file", file.installed);
  release ? row.set("running", build.kernel == *release) : row.unread("running", release.error());
  if (file.installed && out.wants("differs")) {
    const auto differs = module_files_differ(out.files(), file.built, *file.installed);
    row.set("differs", differs);
  }
  set_signature(row, file.installed.value_or(file.built), out);
}

void read_dkms_files(TableReader& out) {
  const auto& tree = dkms_tree(out);
  for (const auto& error : tree.errors) out.gap(error);
  for (const auto& version : tree.versions) {
    for (const auto& build : version.builds) {
      for (const auto& file : build.files) add_row(version, build, file, out);
    }
  }
}

}  // namespace

Probe dkms_files_probe() {
  return {{"dkms_files", "Each module file that DKMS built, beside the one that is installed. Whole files are read.",
           kColumns, TableCost::kDeep},
          &read_dkms_files};
}

}  // namespace gpuharden
