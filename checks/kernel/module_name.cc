// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/module_name.h"

namespace gpuharden {

std::string normalize_module_name(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  bool in_brackets = false;
  for (const char c : name) {
    if (c == '[') in_brackets = true;
    if (c == ']') in_brackets = false;
    out += c == '-' && !in_brackets ? '_' : c;
  }
  return out;
}

std::string module_name_of_file(std::string_view path) {
  const auto name = path.substr(path.rfind('/') + 1);
  const auto dot = name.find('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const auto suffix = name.substr(dot);
  const bool is_module = suffix == ".ko" || suffix == ".ko.gz" || suffix == ".ko.xz" || suffix == ".ko.zst";
  return is_module ? normalize_module_name(name.substr(0, dot)) : std::string();
}

}  // namespace gpuharden
