// SPDX-License-Identifier: GPL-2.0-or-later
// The one name that a kernel module has, however it is written.
#pragma once

#include <string>
#include <string_view>

namespace gpuharden {

// With '_' for '-', as the kernel and modprobe compare names; not inside the brackets of an alias.
std::string normalize_module_name(std::string_view name);

// "nvidia_uvm" of "/lib/modules/…/nvidia-uvm.ko.zst"; empty when the file is no module by its name.
std::string module_name_of_file(std::string_view path);

}  // namespace gpuharden
