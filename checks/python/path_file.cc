// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/path_file.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 22> kRiskyWords = {
    "exec",   "eval",   "compile",  "base64", "b64decode",    "binascii", "codecs", "marshal",
    "pickle", "zlib",   "bz2",      "lzma",   "popen",        "Popen",    "system", "subprocess",
    "socket", "urllib", "requests", "ctypes", "memfd_create", "mmap"};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

PathFile parse_path_file(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  PathFile file;
  for (auto line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('#') || trim(line).empty()) continue;
    const bool is_import = line.starts_with("import ") || line.starts_with("import\t");
    (is_import ? file.imports : file.paths).emplace_back(is_import ? line : trim(line));
  }
  return file;
}

std::vector<std::string> risky_words(std::string_view code) {
  std::array<bool, kRiskyWords.size()> found{};
  for (std::size_t at = 0; at < code.size();) {
    std::size_t end = at;
    while (end < code.size() && is_word_character(code[end])) ++end;
    const auto word = code.substr(at, end - at);
    const auto known = std::find(kRiskyWords.begin(), kRiskyWords.end(), word);
    if (known != kRiskyWords.end()) found.at(static_cast<std::size_t>(known - kRiskyWords.begin())) = true;
    at = std::max(end, at + 1);
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found.at(i)) words.emplace_back(kRiskyWords.at(i));
  }
  return words;
}

}  // namespace gpuharden
