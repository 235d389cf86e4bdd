// SPDX-License-Identifier: GPL-2.0-or-later
// What the initial RAM disks load before the real root is there.
#include <array>

#include "checks/kernel/initramfs.h"
#include "checks/kernel/modprobe_conf.h"
#include "checks/kernel/module_name.h"
#include "checks/kernel/module_tree.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kCap = std::size_t{1} << 30U;

constexpr Column kColumns[] = {
    {"initrd", ColumnType::kPath, "the initial RAM disk", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"kernel", ColumnType::kText, "release of the kernel that it is for", ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "module for a file of a module; blacklist, options, install, remove, alias or softdep for a line of its copy of "
     "modprobe.d",
     ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "name of the module, with '_'", ColumnFlag::kNotNull},
    {"argument", ColumnType::kText, "the rest of a line of modprobe.d; NULL for a module"},
    {"member", ColumnType::kText, "name of the file inside", ColumnFlag::kNotNull},
    {"size", ColumnType::kInteger, "size of that file, bytes", ColumnFlag::kNotNull},
};

void add_row(const std::string& initrd, const std::string& kernel, const InitramfsFile& file, std::string_view kind,
             std::string_view name, const std::optional<std::string>& argument, TableReader& out) {
  out.row()
      .set("initrd", initrd)
      .set("kernel", kernel)
      .set("kind", kind)
      .set("name", name)
      .set("argument", argument)
      .set("member", file.name)
      .set("size", file.size);
}

void read_one(const std::string& initrd, const std::string& kernel, TableReader& out) {
  const auto file = out.files().read(initrd, kCap);
  if (!file) return out.gap(initrd, "*", file.error());
  if (file->truncated) out.gap(initrd, "*", {ErrorCode::kTooLarge, initrd + ": larger than any initial RAM disk"});
  const auto contents = read_initramfs(file->bytes);
  if (contents.error) out.gap(initrd, "*", Error(*contents.error).while_(initrd));
  for (const auto& module : contents.modules) {
    add_row(initrd, kernel, module, "module", module_name_of_file(module.name), std::nullopt, out);
  }
  for (const auto& conf : contents.modprobe_files) {
    std::vector<std::uint32_t> bad_lines;
    for (const auto& line : parse_modprobe_conf(conf.content, bad_lines)) {
      add_row(initrd, kernel, conf, line.command, line.module, line.argument, out);
    }
  }
}

void read_initramfs_modules(TableReader& out) {
  const auto kernels = installed_kernels(out.files());
  if (!kernels) return out.gap(kernels.error());
  for (const auto& kernel : *kernels) {
    const std::array<std::string, 2> paths = {"/boot/initrd.img-" + kernel, "/boot/initramfs-" + kernel + ".img"};
    for (const auto& path : paths) {
      if (!may_exist(out.files(), path)) continue;
      read_one(path, kernel, out);
      break;
    }
  }
}

}  // namespace

Probe initramfs_modules_probe() {
  return {
      {"initramfs_modules",
       "Modules and modprobe.d lines inside the initial RAM disks of the installed kernels: what is loaded, and how, "
       "before the real root is there. They are unpacked, which takes seconds.",
       kColumns, TableCost::kDeep},
      &read_initramfs_modules};
}

}  // namespace gpuharden
