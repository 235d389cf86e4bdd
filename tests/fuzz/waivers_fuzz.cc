// SPDX-License-Identifier: GPL-2.0-or-later
// Waiver files. What is taken without a fault has everything that a waiver needs.
#include "engine/rules/waiver_loader.h"
#include "tests/fuzz/target.h"

using gpuharden::test::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<gpuharden::Diagnostic> diagnostics;
  const auto waivers = gpuharden::load_waivers("w.yaml", gpuharden::test::text_of(data, size), diagnostics);
  if (!diagnostics.empty()) return 0;
  for (const auto& waiver : waivers)
    require(!waiver.rule.empty() && !waiver.reason.empty() && !waiver.owner.empty() && waiver.expires > -1'000'000);
  return 0;
}
