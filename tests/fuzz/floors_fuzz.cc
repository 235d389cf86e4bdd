// SPDX-License-Identifier: GPL-2.0-or-later
// Files of floors of an operator: every fault is told, none ends the program.
#include "engine/base/date.h"
#include "engine/rules/floor_loader.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<gpuharden::Diagnostic> diagnostics;
  const auto file =
      gpuharden::load_floors("x", "rules/floors/x.yaml", gpuharden::test::text_of(data, size), diagnostics);
  for (const auto& diagnostic : diagnostics) gpuharden::test::require(!format(diagnostic).empty());
  if (!diagnostics.empty()) return 0;
  gpuharden::test::require(!file.floors.empty() && gpuharden::parse_date(file.as_of).has_value());
  return 0;
}
