// SPDX-License-Identifier: GPL-2.0-or-later
// Where GPU programs keep code that they compiled at run time.
#pragma once

#include <span>
#include <string_view>

namespace gpuharden {

// Below a home, or below $XDG_CACHE_HOME where the path begins with ".cache/".
struct HomeCache {
  std::string_view path, kind;
};
std::span<const HomeCache> home_caches();

// A variable that puts such a cache elsewhere.
struct CacheVariable {
  std::string_view name, kind;
};
std::span<const CacheVariable> cache_variables();
// nullptr for other variables.
const CacheVariable* find_cache_variable(std::string_view name);

// Whether what lies on a file system of this type is gone after a reboot, or with the container.
bool is_volatile_file_system(std::string_view fs_type);

}  // namespace gpuharden
