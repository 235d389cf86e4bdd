// SPDX-License-Identifier: GPL-2.0-or-later
// The logical lines of a Python file: strings, brackets and comments are understood, nothing is run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct PythonLine {
  std::string text;        // without comments, physical lines joined
  std::string code;        // the same with every byte of a string literal replaced by '"'
  std::uint32_t line = 0;  // where it begins, from 1
  bool is_indented = false;
};

struct PythonText {
  std::vector<PythonLine> lines;  // no empty ones
  bool is_broken = false;         // a string or bracket is not closed
};

PythonText split_python_lines(std::string_view text);

// The value of a literal: 'text', "text", u'', r'', an integer, True, False or None as written.
// Nothing for everything else: f-strings, calls, names, lists, escapes other than \\ \' \" \n.
std::optional<std::string> python_literal(std::string_view text);

}  // namespace gpuharden
