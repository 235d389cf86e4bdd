// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/proc_modules.h"

#include <algorithm>

#include "checks/kernel/module_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// "(OE+)": what is not a letter tells of a module that comes or goes.
std::string letters_in(std::string_view word) {
  std::string letters;
  std::copy_if(word.begin(), word.end(), std::back_inserter(letters), [](char c) { return c >= 'A' && c <= 'Z'; });
  return letters;
}

// name size references used-by state address [(taint)]
std::optional<LoadedModule> parse_line(std::string_view line) {
  const auto words = split_words(line);
  if (words.size() < 5) return std::nullopt;
  const auto size = parse_unsigned(words[1]);
  if (!size) return std::nullopt;
  LoadedModule module;
  module.name = normalize_module_name(words[0]);
  module.size = *size;
  module.references = parse_unsigned(words[2]);
  auto users = words[3] == "-" ? std::string_view() : words[3];
  if (users.ends_with(',')) users.remove_suffix(1);
  module.used_by = users;
  module.state = words[4];
  if (words.back().starts_with('(')) module.taint = letters_in(words.back());
  return module;
}

}  // namespace

std::vector<LoadedModule> parse_proc_modules(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<LoadedModule> modules;
  std::uint32_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    auto module = parse_line(line);
    if (!module) {
      bad_lines.push_back(number);
      continue;
    }
    module->line = number;
    modules.push_back(std::move(*module));
  }
  return modules;
}

}  // namespace gpuharden
