// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/systemd/unit_file.h"
#include "checks/systemd/unit_name.h"
#include "checks/systemd/unit_words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto unit = gpuharden::parse_unit_text(std::string(text));
  for (const auto& assignment : unit->assignments) {
    static_cast<void>(gpuharden::parse_unit_command(assignment.value));
    static_cast<void>(gpuharden::expand_specifiers(assignment.value, "foo-bar@baz.service"));
    static_cast<void>(gpuharden::drop_in_names(assignment.value));
  }
  return 0;
}
