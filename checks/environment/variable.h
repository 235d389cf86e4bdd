// SPDX-License-Identifier: GPL-2.0-or-later
// What is known about environment variables by name, and about the paths in their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// Variables whose value is a list of folders (or of libraries) separated by ':'.
bool is_path_list(std::string_view name);

// Whether a path list has an empty, "." or relative element: the current folder is then searched.
// In LD_PRELOAD and LD_AUDIT empty elements are harmless and names without '/' are looked up.
bool has_current_folder_element(std::string_view name, std::string_view value);

// The absolute paths in a value: elements between ':', ';', ',' and blanks, also behind a '='.
std::vector<std::string> absolute_paths(std::string_view value);

// "022", "0022" or "u=rwx,g=rx,o=" as the umask it sets; nothing when it is no mode.
std::optional<std::uint32_t> parse_umask(std::string_view text);

}  // namespace gpuharden
