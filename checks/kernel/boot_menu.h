// SPDX-License-Identifier: GPL-2.0-or-later
// What the machine's boot loader will start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/kernel/boot_entry.h"
#include "engine/host/host.h"

namespace gpuharden {

struct BootMenu {
  std::string loader;  // grub, grub-bls or systemd-boot; empty when none is known here
  std::vector<BootEntry> entries;
  std::optional<std::size_t> by_default;  // index
  std::optional<std::size_t> once;        // what the next boot starts instead, and only that one
  std::optional<Error> default_error;     // why `by_default` or `once` is not known
  std::vector<Error> errors;              // entries that could not be read
};

// No loader, no entries and no errors where nothing is found: a container, or a machine whose kernel
// comes from outside.
BootMenu read_boot_menu(const Host& host);

}  // namespace gpuharden
