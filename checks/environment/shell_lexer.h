// SPDX-License-Identifier: GPL-2.0-or-later
// Words and operators of shell text. It runs nothing and never recurses, whatever the nesting.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

enum class ShellTokenKind : std::uint8_t { kWord, kOperator, kNewline, kEnd };

struct ShellToken {
  ShellTokenKind kind = ShellTokenKind::kEnd;
  std::string_view text;   // as written, quotes and substitutions included
  std::uint32_t line = 1;  // where it begins, from 1
};

// Splits POSIX shell, bash and zsh text. Comments and the bodies of here-documents are no tokens;
// redirections are dropped with their targets. `A=(x y)` is one word. Linear in the text.
class ShellLexer {
 public:
  explicit ShellLexer(std::string_view text) : text_(text) {}
  ShellToken next();

 private:
  struct HereDocument {
    std::string delimiter;
    bool strips_tabs = false;
  };

  ShellToken take(ShellTokenKind kind, std::size_t length);
  void skip_blanks();
  void skip_to(std::size_t at);
  void skip_redirection();
  void skip_here_documents();
  std::size_t end_of_word(std::size_t at) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<HereDocument> here_documents_;
};

// The position behind a quoted or substituted part ('…', "…", `…`, $(…), ${…}) that begins at
// `at`; at + 1 when none begins there; the end of the text when it is not closed.
std::size_t end_of_group(std::string_view text, std::size_t at);

}  // namespace gpuharden
