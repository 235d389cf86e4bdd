// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/proc_maps.h"

#include <algorithm>
#include <tuple>

#include "checks/process/process_facts.h"

namespace gpuharden {
namespace {

// Takes the next blank-separated field from the front.
std::string_view next_field(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const auto field = line.substr(0, line.find(' '));
  line.remove_prefix(field.size());
  return field;
}

// The kernel writes a newline in a path as \012 and escapes nothing else.
std::string unescaped(std::string_view path) {
  std::string text(path);
  for (auto at = text.find("\\012"); at != std::string::npos; at = text.find("\\012", at + 1)) {
    text.replace(at, 4, "\n");
  }
  return text;
}

}  // namespace

std::vector<MappedFile> parse_proc_maps(std::string_view text) {
  std::vector<MappedFile> files;
  std::string_view last;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    next_field(line);
    const auto permissions = next_field(line);
    if (permissions.size() != 4 || permissions[2] != 'x') continue;
    for (int skipped = 0; skipped < 3; ++skipped) next_field(line);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with('/') || line == last) continue;
    last = line;
    const auto path = without_deleted(line);
    files.push_back({unescaped(path), path.size() != line.size()});
  }
  const auto key = [](const MappedFile& file) { return std::tie(file.path, file.is_deleted); };
  std::sort(files.begin(), files.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace gpuharden
