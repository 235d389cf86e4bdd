// SPDX-License-Identifier: GPL-2.0-or-later
// The project's documents, in the parts that tests look at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden::test {

struct Document {
  std::string path;  // relative to the project
  std::string text;
};
// README.md, CONTRIBUTING.md and everything in docs/.
std::vector<Document> documents();

struct CodeBlock {
  std::string language;  // "yaml"; may be empty
  std::string name;      // the rest of the line that opens it: a path, or nothing
  std::string text;
};
std::vector<CodeBlock> code_blocks(std::string_view markdown);
// The block of that name; throws std::runtime_error when there is none.
std::string code_block(std::string_view markdown, std::string_view name);

// Targets of [text](target).
std::vector<std::string> links(std::string_view markdown);
// What stands between single backticks, outside of code blocks.
std::vector<std::string> code_words(std::string_view markdown);

}  // namespace gpuharden::test
