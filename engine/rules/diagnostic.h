// SPDX-License-Identifier: GPL-2.0-or-later
// What is wrong with a rule, policy or waiver file, said so that its author finds the place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rule.h"

namespace gpuharden {

struct Diagnostic {
  std::string code;  // stable, kebab-case: unknown-key, unknown-column, …
  std::string sentence;
  SourcePlace place;
  std::string snippet;  // the line and a caret below it; may be empty
};

// "rules/apt/x.yaml:3:1: unknown-key: …" and the snippet, without a final newline.
std::string format(const Diagnostic& diagnostic);

// Collects the diagnostics of one file.
class FileDiagnostics {
 public:
  FileDiagnostics(std::string file, std::string_view text, std::vector<Diagnostic>& out)
      : file_(std::move(file)), text_(text), out_(out) {}

  void add(std::string_view code, std::size_t line, std::size_t column, std::string sentence);
  const std::string& file() const { return file_; }
  // True when nothing was added through this object.
  bool clean() const { return count_ == 0; }

 private:
  std::string file_;
  std::string_view text_;
  std::vector<Diagnostic>& out_;
  std::size_t count_ = 0;
};

// ", did you mean \"signed_by\"?" or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gpuharden
