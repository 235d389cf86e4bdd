// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/nvidia/nvidia_version.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_version(std::string_view word) {
  return word.find('.') != std::string_view::npos && word.front() != '.' && word.back() != '.' &&
         word.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

std::optional<NvidiaModuleVersion> parse_nvidia_version(std::string_view text) {
  for (const auto line : split(text, '\n')) {
    const auto at = line.find("Kernel Module");
    if (!line.starts_with("NVRM version:") || at == std::string_view::npos) continue;
    for (const auto word : split_words(line.substr(at))) {
      if (is_version(word))
        return NvidiaModuleVersion{std::string(word), line.find(" Open Kernel Module") != std::string_view::npos};
    }
  }
  return std::nullopt;
}

std::optional<std::string> version_of_library(std::string_view file_name, std::string_view library) {
  const auto prefix = concat({library, ".so."});
  if (!file_name.starts_with(prefix)) return std::nullopt;
  const auto version = file_name.substr(prefix.size());
  return !version.empty() && is_version(version) ? std::optional(std::string(version)) : std::nullopt;
}

}  // namespace gpuharden
