// SPDX-License-Identifier: GPL-2.0-or-later
// The GPU modules of every installed kernel, and whether those that are loaded come from them.
#include <array>

#include "checks/kernel/elf_note.h"
#include "checks/kernel/kernel_value.h"
#include "checks/kernel/module_facts.h"
#include "checks/kernel/module_file.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "the module's file", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "name of the module: nvidia_uvm", ColumnFlag::kNotNull},
    {"kernel", ColumnType::kText, "kernel in whose folder it is", ColumnFlag::kNotNull},
    {"running", ColumnType::kBoolean, "whether that is the running kernel"},
    {"signed", ColumnType::kBoolean, "whether a signature is appended"},
    {"signer", ColumnType::kText, "common name of the certificate that signed it"},
    {"signer_serial", ColumnType::kText, "serial number of that certificate, as in mok_keys"},
    {"version", ColumnType::kVersion, "version that the file says; NULL when it does not"},
    {"vermagic_kernel", ColumnType::kText, "kernel that it was built for, the first word of its vermagic"},
    {"build_id", ColumnType::kText, "build id of the file; NULL when it has none"},
    {"source_version", ColumnType::kText, "digest of its source, as the file says; NULL when it does not"},
    {"loaded", ColumnType::kBoolean, "whether a module of that name is loaded, and the kernel is the running one"},
    {"loaded_build_id", ColumnType::kText,
     "build id of the loaded module, from /sys/module/NAME/notes; NULL when it is not loaded or has none"},
    {"loaded_source_version", ColumnType::kText, "the same of its source, from /sys/module/NAME/srcversion"},
};

constexpr std::array<std::string_view, 22> kModules = {"nvidia",
                                                       "nvidia_uvm",
                                                       "nvidia_modeset",
                                                       "nvidia_drm",
                                                       "nvidia_peermem",
                                                       "nvidia_fs",
                                                       "nvidia_current",
                                                       "nvidia_current_uvm",
                                                       "nvidia_current_modeset",
                                                       "nvidia_current_drm",
                                                       "nvidia_current_open",
                                                       "gdrdrv",
                                                       "nouveau",
                                                       "amdgpu",
                                                       "amdkcl",
                                                       "amdttm",
                                                       "amdxcp",
                                                       "amddrm_ttm_helper",
                                                       "amddrm_buddy",
                                                       "amd_sched",
                                                       "amdkfd",
                                                       "nova_core"};

// Debian calls the file nvidia-current; the module it holds calls itself nvidia.
std::string loaded_name(std::string_view name) {
  constexpr std::string_view kCurrent = "nvidia_current";
  if (!name.starts_with(kCurrent)) return std::string(name);
  const auto rest = name.substr(kCurrent.size());
  return rest == "_open" ? "nvidia" : concat({"nvidia", rest});
}

void set_loaded(Row& row, std::string_view name, bool is_running, TableReader& out) {
  const auto folder = concat({"/sys/module/", loaded_name(name)});
  if (!is_running) {
    row.set("loaded", false);
    return;
  }
  const auto state = kernel_value(out.host(), folder + "/initstate", "/sys/module");
  if (!state) {
    for (const auto* column : {"loaded", "loaded_build_id", "loaded_source_version"}) row.unread(column, state.error());
    return;
  }
  row.set("loaded", state->has_value());
  if (!*state) return;
  const auto source = kernel_value(out.host(), folder + "/srcversion", folder);
  row.set("loaded_source_version", source);
  const auto note = out.files().read(folder + "/notes/.note.gnu.build-id");
  if (note) {
    const auto identifier = build_id_of_note(note->bytes);
    if (!identifier.empty()) row.set("loaded_build_id", identifier);
  } else if (note.error().code != ErrorCode::kNotFound) {
    row.unread("loaded_build_id", note.error());
  }
}

void set_facts(Row& row, const std::string& path, TableReader& out) {
  const auto facts = module_file_facts(out.files(), path);
  if (!facts) {
    for (const auto* column :
         {"signed", "signer", "signer_serial", "version", "vermagic_kernel", "build_id", "source_version"}) {
      row.unread(column, facts.error());
    }
    return;
  }
  row.set("signed", facts->is_signed)
      .set("signer", facts->signer)
      .set("signer_serial", facts->signature_key)
      .set("version", facts->version)
      .set("source_version", facts->source_version);
  if (facts->vermagic) row.set("vermagic_kernel", facts->vermagic->substr(0, facts->vermagic->find(' ')));
  if (!facts->build_id.empty()) row.set("build_id", facts->build_id);
}

void add_kernel(const std::string& kernel, const Result<std::string>& running, TableReader& out) {
  const auto& tree = module_trees(out).of(out.files(), kernel);
  for (const auto& error : tree.errors) out.gap(error);
  if (!tree.is_indexed && may_exist(out.files(), tree.folder + "/kernel"))
    out.gap({ErrorCode::kNotFound, tree.folder + "/modules.dep: is not there, so kernel/ was not searched"});
  for (const auto name : kModules) {
    const auto path = tree.find(name);
    if (!path || !may_exist(out.files(), *path)) continue;
    auto row = out.row();
    row.set("path", *path).set("name", name).set("kernel", kernel);
    running ? row.set("running", kernel == *running) : row.unread("running", running.error());
    set_loaded(row, name, running && kernel == *running, out);
    set_facts(row, *path, out);
  }
}

void read_module_files(TableReader& out) {
  const auto kernels = installed_kernels(out.files());
  if (!kernels) return out.gap(kernels.error());
  const auto running = running_release(out.host());
  for (const auto& kernel : *kernels) add_kernel(kernel, running, out);
}

}  // namespace

Probe module_files_probe() {
  return {
      {"module_files",
       "The files of GPU modules (nvidia, amdgpu, nouveau and what belongs to them) of every installed kernel, with "
       "what is loaded beside them. Whole files are read.",
       kColumns, TableCost::kDeep},
      &read_module_files};
}

}  // namespace gpuharden
