// SPDX-License-Identifier: GPL-2.0-or-later
// What differs between two texts, line by line: to be shown, and to be taken back from a third text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// `removed` lines of the old text, from line `old_start` on (from 0), became `added` lines of the new one.
// Lines keep their newline; the last of a text may have none.
struct LineHunk {
  std::size_t old_start = 0;
  std::size_t new_start = 0;
  std::vector<std::string> removed;
  std::vector<std::string> added;
};

// In order, without lines in common at their ends. The least possible where the texts differ in up to a few
// thousand lines, else one hunk over all that differs.
std::vector<LineHunk> line_hunks(std::string_view old_text, std::string_view new_text);

// As `diff -u` prints it, with three lines of context; empty where nothing differs.
std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text);

// `current` without the edit that made `after` out of `before`: everything else in it stays. Each hunk must be
// found at exactly one place, by its own lines and up to three lines around it; nothing otherwise.
std::optional<std::string> undo_edit(std::string_view current, std::string_view before, std::string_view after);

}  // namespace gpuharden
