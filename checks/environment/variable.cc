// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/variable.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 12> kPathLists = {"PATH",        "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT",
                                                         "LD_RUN_PATH", "LIBRARY_PATH",    "PYTHONPATH", "GCONV_PATH",
                                                         "CPATH",       "PERL5LIB",        "RUBYLIB",    "CLASSPATH"};

bool is_preload(std::string_view name) { return name == "LD_PRELOAD" || name == "LD_AUDIT"; }

bool is_harmless_preload(std::string_view element) {
  return element.find('/') == std::string_view::npos || element[0] == '/' || element[0] == '$';
}

// The current folder is meant by "", ".", "./x", "x": by all that is neither absolute nor expanded later.
bool is_current_folder(std::string_view element) {
  return element.empty() || (element[0] != '/' && element[0] != '$' && element[0] != '~');
}

// One class of a symbolic mode: what "g=rx" takes away from the group.
bool apply_symbolic(std::string_view clause, std::uint32_t& mask) {
  const auto equals = clause.find_first_of("=+-");
  if (equals == std::string_view::npos) return false;
  std::uint32_t allowed = 0;
  for (const char c : clause.substr(equals + 1)) allowed |= c == 'r' ? 4U : c == 'w' ? 2U : c == 'x' ? 1U : 0U;
  const auto who = equals == 0 ? std::string_view("a") : clause.substr(0, equals);
  for (const auto& [letter, shift] : {std::pair{'u', 6U}, std::pair{'g', 3U}, std::pair{'o', 0U}}) {
    if (who.find(letter) == std::string_view::npos && who.find('a') == std::string_view::npos) continue;
    const std::uint32_t old = mask >> shift & 7U;
    const std::uint32_t now = clause[equals] == '='   ? 7U & ~allowed
                              : clause[equals] == '+' ? old & ~allowed
                                                      : old | allowed;
    mask = (mask & ~(7U << shift)) | now << shift;
  }
  return true;
}

}  // namespace

bool is_path_list(std::string_view name) {
  return std::find(kPathLists.begin(), kPathLists.end(), name) != kPathLists.end();
}

bool has_current_folder_element(std::string_view name, std::string_view value) {
  if (is_preload(name)) {
    std::string blanks_too(value);
    std::replace(blanks_too.begin(), blanks_too.end(), ':', ' ');
    const auto elements = split_words(blanks_too);
    return !std::all_of(elements.begin(), elements.end(), is_harmless_preload);
  }
  if (value.empty()) return false;  // an empty variable counts as one that is not set
  std::string one_separator(value);
  if (name == "LD_LIBRARY_PATH") std::replace(one_separator.begin(), one_separator.end(), ';', ':');
  const auto elements = split(one_separator, ':');
  return std::any_of(elements.begin(), elements.end(), is_current_folder);
}

std::vector<std::string> absolute_paths(std::string_view value) {
  constexpr std::size_t kMaxPaths = 64;
  std::vector<std::string> paths;
  for (std::size_t at = 0; at <= value.size() && paths.size() < kMaxPaths;) {
    const auto end = std::min(value.find_first_of(":;, \t\n\"'", at), value.size());
    auto element = value.substr(at, end - at);
    const auto equals = element.find("=/");
    if (equals != std::string_view::npos) element = element.substr(equals + 1);
    // "//host" is the rest of a URL; what is still to be expanded is no path yet.
    const bool is_path = element.size() > 1 && element[0] == '/' && element[1] != '/' &&
                         element.find('$') == std::string_view::npos && element.find('\0') == std::string_view::npos &&
                         element.size() < 4096;
    if (is_path) paths.emplace_back(element);
    at = end + 1;
  }
  return paths;
}

std::optional<std::uint32_t> parse_umask(std::string_view text) {
  const auto number = parse_unsigned(text, 8);
  if (number) return *number <= 0777 ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
  std::uint32_t mask = 022;
  for (const auto clause : split(text, ',')) {
    if (!apply_symbolic(clause, mask)) return std::nullopt;
  }
  return mask;
}

}  // namespace gpuharden
