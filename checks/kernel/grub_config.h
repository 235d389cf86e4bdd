// SPDX-License-Identifier: GPL-2.0-or-later
// GRUB's menu: a script, of which what grub-mkconfig writes is understood and nothing is run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checks/kernel/boot_entry.h"

namespace gpuharden {

struct GrubMenuItem {
  BootEntry entry;  // of a submenu only title, id, place and line
  bool is_submenu = false;
};

struct GrubConfig {
  std::vector<GrubMenuItem> items;        // in the menu's order, submenus before what they hold
  std::vector<std::string> defaults;      // values that are given to "default", as written, each once
  LoaderVariables variables;              // what "set" gives a value without variables; the last one
  bool takes_loader_entries = false;      // blscfg: the entries are files of their own
  std::optional<std::string> hands_over;  // configfile or source: the real menu is in another file
};

GrubConfig parse_grub_config(std::string_view text);

// grubenv: lines name=value, filled up with '#'.
LoaderVariables parse_grub_environment(std::string_view text);

// The item that a value of "default" means: places, titles and ids, joined by '>'. What names no
// item means the first, as for GRUB. Nothing for an empty menu, and for a submenu as such.
const GrubMenuItem* find_grub_default(const std::vector<GrubMenuItem>& items, std::string_view value);

}  // namespace gpuharden
