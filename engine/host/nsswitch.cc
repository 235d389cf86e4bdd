// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/nsswitch.h"

#include "engine/base/text.h"

namespace gpuharden {

std::vector<std::string> parse_nsswitch(std::string_view text, std::string_view database) {
  std::vector<std::string> sources;
  for (auto line : split(text, '\n')) {
    line = trim(line.substr(0, line.find('#')));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != database) continue;
    bool in_action = false;
    for (const auto word : split_words(line.substr(colon + 1))) {
      if (word.front() == '[') in_action = true;
      if (!in_action) sources.emplace_back(word);
      if (word.back() == ']') in_action = false;
    }
  }
  return sources;
}

bool is_directory_source(std::string_view source) {
  // compat reads the files too; its "+" lines show as lines that are no entry. systemd only makes
  // up names for dynamic users.
  return source != "files" && source != "compat" && source != "systemd" && source != "cache";
}

}  // namespace gpuharden
