// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/architecture/source_tree.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/text.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;

// Where the literal, comment or single character that starts at `at` ends; `opening` and `closing` get
// the lengths of the delimiters that stay.
std::size_t end_of_piece(std::string_view text, std::size_t at) {
  const auto until = [&](std::string_view end, std::size_t from) {
    const auto found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") return until("*/", at + 2);
  if (text.substr(at, 2) == "R\"") {
    const auto parenthesis = text.find('(', at);
    return until(concat({")", text.substr(at + 2, parenthesis - at - 2), "\""}), parenthesis);
  }
  if (text[at] != '"' && text[at] != '\'') return at + 1;
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return i + 1;
    }
  }
  return text.size();
}

// 1'000'000 is no character literal.
bool is_digit_separator(std::string_view text, std::size_t at) {
  const auto is_hex = [](char c) {
    return std::string_view("0123456789abcdefABCDEF").find(c) != std::string_view::npos;
  };
  return text[at] == '\'' && at > 0 && at + 1 < text.size() && is_hex(text[at - 1]) && is_hex(text[at + 1]);
}

}  // namespace

std::string blank_comments_and_literals(std::string_view text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = is_digit_separator(text, at) ? at + 1 : end_of_piece(text, at);
    const bool plain = end == at + 1;
    for (std::size_t i = at; i < end; ++i) code += plain || text[i] == '\n' ? text[i] : ' ';
    at = end;
  }
  return code;
}

std::vector<SourceFile> source_files(std::string_view folder) {
  std::vector<SourceFile> files;
  const fs::path root = source_path("");
  if (!fs::exists(root / folder)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    const auto extension = entry.path().extension();
    if (!entry.is_regular_file() || (extension != ".cc" && extension != ".h")) continue;
    const std::string path = fs::relative(entry.path(), root);
    std::string text = read_source(path);
    std::string code = blank_comments_and_literals(text);
    files.push_back({path, std::move(text), std::move(code)});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

std::vector<SourceFile> all_source_files() {
  std::vector<SourceFile> files;
  for (const auto* folder : {"checks", "engine", "kernels", "remediations", "tests"}) {
    auto some = source_files(folder);
    std::move(some.begin(), some.end(), std::back_inserter(files));
  }
  return files;
}

std::vector<Include> project_includes(const SourceFile& file) {
  std::vector<Include> includes;
  std::size_t number = 0;
  for (const auto line : split(file.text, '\n')) {
    ++number;
    constexpr std::string_view kStart = "#include \"";
    if (!line.starts_with(kStart)) continue;
    const auto target = line.substr(kStart.size());
    includes.push_back({number, std::string(target.substr(0, target.find('"')))});
  }
  return includes;
}

std::string place_of(const SourceFile& file, std::size_t offset) {
  const auto line = 1 + std::count(file.text.begin(), file.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  return file.path + ":" + std::to_string(line);
}

std::size_t line_count(const SourceFile& file) {
  return static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

}  // namespace gpuharden::test
