// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/files/file_capabilities.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "checks/files/package_owners.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto found = gpuharden::parse_file_capabilities(bytes))
    static_cast<void>(gpuharden::capability_names(found->permitted));
  std::set<std::string> found;
  gpuharden::match_package_list(bytes, {{"/bin/x", "/usr/bin/x"}}, found);
  return 0;
}
