// SPDX-License-Identifier: GPL-2.0-or-later
// What the boot loader offers, and what it starts next.
#include "checks/kernel/boot_menu.h"
#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_name.h"
#include "checks/system/if_any.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"place", ColumnType::kText, "place in the menu, from 0; \"1>0\" in a submenu",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"loader", ColumnType::kText,
     "grub, grub-bls (GRUB with a file for each entry) or systemd-boot, by the configuration that was found",
     ColumnFlag::kNotNull},
    {"id", ColumnType::kText, "id of the entry; NULL when it has none"},
    {"title", ColumnType::kText, "as the menu shows it"},
    {"release", ColumnType::kText, "release of the kernel, from the name of its file; NULL when the name does not say"},
    {"kernel", ColumnType::kText, "file of the kernel, as the loader sees it", ColumnFlag::kNotNull},
    {"initrd", ColumnType::kText, "file of the last initial RAM disk; NULL without one"},
    {"cmdline", ColumnType::kText, "parameters for the kernel, known variables put in", ColumnFlag::kNotNull},
    {"unresolved", ColumnType::kText,
     "variables of the command line whose value is not known, separated by blanks; empty for none",
     ColumnFlag::kNotNull},
    {"is_default", ColumnType::kBoolean, "whether it is started when nobody chooses"},
    {"is_next", ColumnType::kBoolean, "whether the next boot starts it: the default, unless another is set for once"},
    {"sig_enforce", ColumnType::kBoolean, "whether module.sig_enforce is on the command line", ColumnFlag::kNotNull},
    {"lockdown", ColumnType::kText, "value of lockdown= on the command line; NULL when it is not given"},
    {"blocks_nouveau", ColumnType::kBoolean,
     "whether modprobe.blacklist= or module_blacklist= of the command line names nouveau", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "where the entry stands", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "from 1; NULL for an entry that is a file of its own"},
};

struct Switches {
  bool sig_enforce = false;
  std::optional<std::string> lockdown;
  bool blocks_nouveau = false;
};

bool names_nouveau(std::string_view list) {
  for (const auto name : split(list, ',')) {
    if (name == "nouveau") return true;
  }
  return false;
}

Switches switches_of(std::string_view cmdline) {
  Switches out;
  for (const auto& parameter : parse_kernel_cmdline(cmdline)) {
    if (parameter.for_init) continue;
    const auto name = normalize_module_name(parameter.name);
    const auto value = parameter.value.value_or("");
    // The kernel lets it only be switched on.
    if (name == "module.sig_enforce")
      out.sig_enforce = out.sig_enforce || value.empty() || value == "1" || to_lower(value.substr(0, 1)) == "y" ||
                        to_lower(value) == "on";
    if (name == "lockdown") out.lockdown = value;
    if (name == "modprobe.blacklist" || name == "module_blacklist")
      out.blocks_nouveau = out.blocks_nouveau || names_nouveau(value);
  }
  return out;
}

void set_choice(Row& row, const BootMenu& menu, std::size_t index) {
  if (menu.default_error) {
    row.unread("is_default", *menu.default_error).unread("is_next", *menu.default_error);
    return;
  }
  row.set("is_default", menu.by_default == index);
  row.set("is_next", (menu.once ? menu.once : menu.by_default) == index);
}

void read_boot_entries(TableReader& out) {
  const auto menu = read_boot_menu(out.host());
  for (const auto& error : menu.errors) out.gap(error);
  for (std::size_t i = 0; i < menu.entries.size(); ++i) {
    const auto& entry = menu.entries[i];
    const auto switches = switches_of(entry.cmdline);
    auto row = out.row();
    row.set("place", entry.place)
        .set("loader", menu.loader)
        .set("id", if_any(entry.id))
        .set("title", if_any(entry.title))
        .set("release", if_any(entry.release))
        .set("kernel", entry.kernel)
        .set("initrd", if_any(entry.initrd))
        .set("cmdline", entry.cmdline)
        .set("unresolved", join(entry.unresolved, " "))
        .set("sig_enforce", switches.sig_enforce)
        .set("lockdown", switches.lockdown)
        .set("blocks_nouveau", switches.blocks_nouveau)
        .set("file", entry.file);
    if (entry.line > 0) row.set("line", entry.line);
    set_choice(row, menu, i);
  }
}

}  // namespace

Probe boot_entries_probe() {
  return {
      {"boot_entries",
       "What the boot loader's menu offers, from grub.cfg and grubenv, or loader/entries and loader.conf. No row where "
       "the kernel comes from outside, as in a container.",
       kColumns},
      &read_boot_entries};
}

}  // namespace gpuharden
