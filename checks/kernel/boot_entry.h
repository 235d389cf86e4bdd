// SPDX-License-Identifier: GPL-2.0-or-later
// An entry of a boot menu, whichever loader it is for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct BootEntry {
  std::string id;     // by which the loader's default may name it, beside title and place
  std::string title;  // as shown
  std::string place;  // of GRUB's menu: "0", or "1>2" in a submenu
  std::string kernel, initrd, cmdline;
  std::string release;                  // release the entry says; empty when it does not
  std::vector<std::string> unresolved;  // variables of the command line whose value is not known
  std::string file;
  std::uint32_t line = 0;  // from 1; 0 for a file of its own
};

using LoaderVariables = std::map<std::string, std::string, std::less<>>;

// The text with $name and ${name} replaced; names without a value are left out and go into `unresolved`.
std::string expand_loader_variables(std::string_view text, const LoaderVariables& variables,
                                    std::vector<std::string>& unresolved);

// "6.8.0-45-generic" of "/boot/vmlinuz-6.8.0-45-generic" and of "/<machine id>/6.8.0-45-generic/linux"; empty
// when the path does not say.
std::string release_of_kernel(std::string_view path);

}  // namespace gpuharden
