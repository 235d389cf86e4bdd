// SPDX-License-Identifier: GPL-2.0-or-later
// Whose packages a repository carries, as far as GPUs are concerned.
#pragma once

#include <string_view>

namespace gpuharden {

// "nvidia", "amd", or empty. By the host that the vendor runs, or by the path that the vendor's
// layout has on every mirror.
std::string_view vendor_of_place(std::string_view host, std::string_view path);

// Whether the host is the vendor's own, so that the vendor's own keys are expected.
bool is_vendor_host(std::string_view host);

// By Origin and Label of the repository's Release file.
std::string_view vendor_of_release(std::string_view origin, std::string_view label);

// Whether a package of that name is a GPU driver, runtime or library of a vendor.
bool is_gpu_package(std::string_view name);

}  // namespace gpuharden
