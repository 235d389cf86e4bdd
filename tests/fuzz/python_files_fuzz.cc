// SPDX-License-Identifier: GPL-2.0-or-later
// Files of Python environments, which their users write.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/python/distribution.h"
#include "checks/python/path_file.h"
#include "checks/python/torch_version.h"
#include "checks/python/unit_places.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  gpuharden::parse_torch_version(text);
  gpuharden::parse_record(text);
  gpuharden::parse_distribution(text);
  gpuharden::parse_path_file(text);
  gpuharden::risky_words(text);
  gpuharden::to_base64url(text);
  gpuharden::prefix_of_program(text);
  gpuharden::UnitPlaces places;
  gpuharden::add_unit_places(std::string(text), places);
  return 0;
}
