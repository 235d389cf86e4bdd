// SPDX-License-Identifier: GPL-2.0-or-later
// The project's own files, as the tests of its structure see them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::test {

struct SourceFile {
  std::string path;  // relative to the project: "engine/base/text.h"
  std::string text;
  std::string code;  // the text with comments and the contents of literals blanked, of the same length
};

// Every .cc and .h below the given top-level folder, sorted by path; none when there is no such folder.
std::vector<SourceFile> source_files(std::string_view folder);
// Of every folder that holds C++.
std::vector<SourceFile> all_source_files();

struct Include {
  std::size_t line = 0;  // from 1
  std::string target;    // "engine/base/text.h"
};
// The includes with quotes.
std::vector<Include> project_includes(const SourceFile& file);

// "path:line" of a place in the text.
std::string place_of(const SourceFile& file, std::size_t offset);
std::size_t line_count(const SourceFile& file);
bool is_below(std::string_view path, std::string_view folder);

// C++ text with comments and the contents of string and character literals replaced by blanks.
std::string blank_comments_and_literals(std::string_view text);

}  // namespace gpuharden::test
