// SPDX-License-Identifier: GPL-2.0-or-later
// Rules and policies in one file, so that an audit parses no YAML.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/floor.h"
#include "engine/model/rule.h"
#include "engine/rules/attack.h"

namespace gpuharden {

// A source file as it was when it was compiled.
struct CompiledSource {
  std::string path;
  std::uint64_t size = 0;
  std::int64_t mtime = 0;  // seconds
  bool operator==(const CompiledSource&) const = default;
};

struct CompiledRules {
  std::string tool_version;
  std::string digest;                   // over ids and texts
  std::vector<CompiledSource> sources;  // sorted by path
  std::vector<Rule> rules;              // sorted by id
  std::vector<Policy> policies;         // sorted by name
  TechniqueTables techniques;           // those that the rules name
  std::vector<FloorFile> floors;        // sorted by component
};

std::string write_compiled(const CompiledRules& rules);
// kMalformed for anything that write_compiled() of this version did not make.
Result<CompiledRules> read_compiled(std::string_view bytes);

}  // namespace gpuharden
