// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/loader/ld_so_text.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Each line without its comment, with its number.
template <typename Take>
void for_each_line(std::string_view text, Take take) {
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    take(line.substr(0, line.find('#')), ++number);
    at = end + 1;
  }
}

std::string folder_of_line(std::string_view line) {
  auto folder = trim(line.substr(0, line.find('=')));
  while (folder.size() > 1 && folder.back() == '/') folder.remove_suffix(1);
  return std::string(folder);
}

}  // namespace

std::vector<PreloadEntry> parse_ld_preload(std::string_view text) {
  std::vector<PreloadEntry> entries;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    for (const auto part : split(line, ':')) {
      for (const auto word : split_words(part)) entries.push_back({std::string(word), number});
    }
  });
  return entries;
}

std::vector<LdSoLine> parse_ld_so_conf(std::string_view text) {
  std::vector<LdSoLine> lines;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    const auto words = split_words(line);
    if (words.empty() || (words[0] == "hwcap" && words.size() > 1)) return;
    if (words[0] != "include" || words.size() == 1) {
      lines.push_back({LdSoLine::Kind::kFolder, folder_of_line(line), number});
      return;
    }
    for (std::size_t i = 1; i < words.size(); ++i)
      lines.push_back({LdSoLine::Kind::kInclude, std::string(words[i]), number});
  });
  return lines;
}

}  // namespace gpuharden
