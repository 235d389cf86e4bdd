// SPDX-License-Identifier: GPL-2.0-or-later
// Files of the boot loader specification: loader/entries/*.conf and loader.conf.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checks/kernel/boot_entry.h"

namespace gpuharden {

// `file_name` without ".conf" is the entry's id. Several options lines are one.
BootEntry parse_loader_entry(std::string_view text, std::string_view file_name, const LoaderVariables& variables);

// What "default" of systemd-boot's loader.conf says: a pattern of ids; empty when there is none.
std::string parse_loader_default(std::string_view text);

// Newest first, as loaders show them: "6.8.0-50" before "6.8.0-45", and before "6.8.0-9".
bool is_newer_entry(const BootEntry& a, const BootEntry& b);

// The text of an EFI variable of systemd-boot: four bytes of attributes, then UTF-16. Only what is
// ASCII; empty for anything else.
std::string parse_loader_variable(std::string_view bytes);

}  // namespace gpuharden
