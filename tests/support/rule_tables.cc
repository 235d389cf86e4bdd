// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/rule_tables.h"

#include <filesystem>
#include <stdexcept>

#include "engine/rules/floor_loader.h"
#include "tests/support/capture.h"

namespace gpuharden::test {

const std::vector<FloorFile>& test_floors() {
  static const std::vector<FloorFile> files = [] {
    std::vector<FloorFile> out;
    std::vector<Diagnostic> diagnostics;
    for (const auto& entry : std::filesystem::directory_iterator(source_path("tests/data/floors"))) {
      const std::string name = entry.path().filename();
      out.push_back(load_floors(floor_component(name), name, read_source("tests/data/floors/" + name), diagnostics));
    }
    if (!diagnostics.empty()) throw std::runtime_error(format(diagnostics.front()));
    return out;
  }();
  return files;
}

}  // namespace gpuharden::test
