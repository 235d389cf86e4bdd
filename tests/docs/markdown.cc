// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/docs/markdown.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <stdexcept>

#include "engine/base/text.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view kFence = "```";

std::string without_blocks(std::string_view markdown) {
  std::string out;
  bool inside = false;
  for (const auto line : split(markdown, '\n')) {
    const bool fence = line.starts_with(kFence);
    if (!inside && !fence) out += concat({line, "\n"});
    inside = inside != fence;
  }
  return out;
}

std::vector<std::string> matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), pattern); it != std::sregex_iterator(); ++it)
    found.push_back((*it)[1]);
  return found;
}

}  // namespace

std::vector<Document> documents() {
  std::vector<Document> all = {{"README.md", read_source("README.md")},
                               {"CONTRIBUTING.md", read_source("CONTRIBUTING.md")}};
  for (const auto& entry : fs::directory_iterator(source_path("docs"))) {
    if (entry.path().extension() != ".md") continue;
    const std::string path = "docs/" + entry.path().filename().string();
    all.push_back({path, read_source(path)});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return all;
}

std::vector<CodeBlock> code_blocks(std::string_view markdown) {
  std::vector<CodeBlock> blocks;
  bool inside = false;
  for (const auto line : split(markdown, '\n')) {
    if (!line.starts_with(kFence)) {
      if (inside) blocks.back().text += concat({line, "\n"});
      continue;
    }
    inside = !inside;
    if (!inside) continue;
    const auto words = split_words(line.substr(kFence.size()));
    blocks.push_back({words.empty() ? "" : std::string(words[0]), words.size() < 2 ? "" : std::string(words[1]), ""});
  }
  return blocks;
}

std::string code_block(std::string_view markdown, std::string_view name) {
  for (auto& block : code_blocks(markdown)) {
    if (block.name == name) return block.text;
  }
  throw std::runtime_error(concat({"there is no block ", name}));
}

std::vector<std::string> links(std::string_view markdown) {
  return matches(without_blocks(markdown), std::regex(R"(\]\(([^)\s]+)\))"));
}

std::vector<std::string> code_words(std::string_view markdown) {
  return matches(without_blocks(markdown), std::regex("`([^`\n]+)`"));
}

}  // namespace gpuharden::test
