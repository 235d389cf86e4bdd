// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/line_edit.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t kContext = 3;
constexpr std::size_t kMaxCells = std::size_t{4} << 20U;  // of the table of common lines

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto length = end == std::string_view::npos ? text.size() : end + 1;
    lines.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) text += line;
  return text;
}

Lines slice(const Lines& lines, std::size_t first, std::size_t last) {
  return {lines.begin() + static_cast<std::ptrdiff_t>(first), lines.begin() + static_cast<std::ptrdiff_t>(last)};
}

// What lies between the common beginning and the common end of two texts.
struct Middle {
  std::size_t start = 0;
  std::size_t old_end = 0;
  std::size_t new_end = 0;
};

Middle middle_of(const Lines& a, const Lines& b) {
  Middle middle{0, a.size(), b.size()};
  while (middle.start < middle.old_end && middle.start < middle.new_end && a[middle.start] == b[middle.start])
    ++middle.start;
  while (middle.old_end > middle.start && middle.new_end > middle.start &&
         a[middle.old_end - 1] == b[middle.new_end - 1]) {
    --middle.old_end;
    --middle.new_end;
  }
  return middle;
}

// Lengths of the longest common subsequence from each pair of lines to the ends.
class CommonLines {
 public:
  CommonLines(const Lines& a, const Lines& b, const Middle& middle)
      : width_(middle.new_end - middle.start + 1), table_((middle.old_end - middle.start + 1) * width_) {
    for (std::size_t i = middle.old_end - middle.start; i-- > 0;) {
      for (std::size_t j = width_ - 1; j-- > 0;) {
        const bool equal = a[middle.start + i] == b[middle.start + j];
        at(i, j) = equal ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint32_t& at(std::size_t i, std::size_t j) { return table_[i * width_ + j]; }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> table_;
};

std::vector<LineHunk> hunks_of(const Lines& a, const Lines& b, const Middle& middle) {
  CommonLines common(a, b, middle);
  std::vector<LineHunk> hunks;
  bool open = false;
  std::size_t i = middle.start;
  std::size_t j = middle.start;
  while (i < middle.old_end || j < middle.new_end) {
    if (i < middle.old_end && j < middle.new_end && a[i] == b[j]) {
      open = false;
      ++i, ++j;
      continue;
    }
    if (!open) hunks.push_back({i, j, {}, {}});
    open = true;
    const bool take_old =
        j == middle.new_end || (i < middle.old_end && common.at(i + 1 - middle.start, j - middle.start) >=
                                                          common.at(i - middle.start, j + 1 - middle.start));
    if (take_old) {
      hunks.back().removed.push_back(a[i++]);
    } else {
      hunks.back().added.push_back(b[j++]);
    }
  }
  return hunks;
}

std::vector<LineHunk> hunks_between(const Lines& a, const Lines& b) {
  const Middle middle = middle_of(a, b);
  if (middle.start == middle.old_end && middle.start == middle.new_end) return {};
  if ((middle.old_end - middle.start + 1) * (middle.new_end - middle.start + 1) <= kMaxCells)
    return hunks_of(a, b, middle);
  return {{middle.start, middle.start, slice(a, middle.start, middle.old_end), slice(b, middle.start, middle.new_end)}};
}

void print_line(std::string& out, char mark, const std::string& line) {
  out += mark;
  out += line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// "-12,3": lines count from 1; an empty range names the line before it.
std::string range(std::size_t start, std::size_t count) {
  const std::string first = std::to_string(count == 0 ? start : start + 1);
  return count == 1 ? first : concat({first, ",", std::to_string(count)});
}

// Hunks whose context touches are printed as one.
void print_group(std::string& out, const Lines& old_lines, const LineHunk* first, const LineHunk* last) {
  const std::size_t lead = std::min(first->old_start, kContext);
  const std::size_t old_start = first->old_start - lead;
  const std::size_t last_end = last->old_start + last->removed.size();
  const std::size_t old_end = std::min(old_lines.size(), last_end + kContext);
  std::size_t grown = 0;
  std::size_t shrunk = 0;
  for (const auto* hunk = first; hunk <= last; ++hunk) {
    grown += hunk->added.size();
    shrunk += hunk->removed.size();
  }
  const std::size_t old_count = old_end - old_start;
  out += concat(
      {"@@ -", range(old_start, old_count), " +", range(first->new_start - lead, old_count + grown - shrunk), " @@\n"});
  std::size_t at = old_start;
  for (const auto* hunk = first; hunk <= last; ++hunk) {
    while (at < hunk->old_start) print_line(out, ' ', old_lines[at++]);
    for (const auto& line : hunk->removed) print_line(out, '-', line);
    for (const auto& line : hunk->added) print_line(out, '+', line);
    at += hunk->removed.size();
  }
  while (at < old_end) print_line(out, ' ', old_lines[at++]);
}

std::vector<std::size_t> occurrences(const Lines& lines, const Lines& pattern) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at + pattern.size() <= lines.size(); ++at) {
    if (std::equal(pattern.begin(), pattern.end(), lines.begin() + static_cast<std::ptrdiff_t>(at)))
      found.push_back(at);
  }
  return found;
}

// Where `wanted`, which stands at `start` of `text`, stands in `lines`: the more of its surroundings fit, the
// better; nothing where there is no such place, or more than one.
std::optional<std::size_t> find_place(const Lines& lines, const Lines& text, std::size_t start, const Lines& wanted) {
  const std::size_t least = wanted.empty() ? 1 : 0;
  for (std::size_t context = kContext + 1; context-- > least;) {
    const std::size_t lead = std::min(context, start);
    const std::size_t end = std::min(text.size(), start + wanted.size() + context);
    const Lines pattern = slice(text, start - lead, end);
    if (pattern.empty()) continue;
    const auto found = occurrences(lines, pattern);
    if (found.size() == 1) return found.front() + lead;
    if (found.size() > 1) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::vector<LineHunk> line_hunks(std::string_view old_text, std::string_view new_text) {
  return hunks_between(lines_of(old_text), lines_of(new_text));
}

std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text) {
  const Lines old_lines = lines_of(old_text);
  const auto hunks = hunks_between(old_lines, lines_of(new_text));
  if (hunks.empty()) return {};
  std::string out = concat({"--- ", old_name, "\n+++ ", new_name, "\n"});
  for (std::size_t first = 0; first < hunks.size();) {
    std::size_t last = first;
    while (last + 1 < hunks.size() &&
           hunks[last + 1].old_start - (hunks[last].old_start + hunks[last].removed.size()) <= 2 * kContext) {
      ++last;
    }
    print_group(out, old_lines, &hunks[first], &hunks[last]);
    first = last + 1;
  }
  return out;
}

std::optional<std::string> undo_edit(std::string_view current, std::string_view before, std::string_view after) {
  Lines lines = lines_of(current);
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  auto hunks = hunks_between(old_lines, new_lines);
  for (const auto& hunk : hunks) {
    if (const auto place = find_place(lines, new_lines, hunk.new_start, hunk.added)) {
      const auto at = lines.begin() + static_cast<std::ptrdiff_t>(*place);
      const auto rest = lines.erase(at, at + static_cast<std::ptrdiff_t>(hunk.added.size()));
      lines.insert(rest, hunk.removed.begin(), hunk.removed.end());
      continue;
    }
    // Someone may have taken this one back already.
    if (hunk.removed.empty() || !find_place(lines, old_lines, hunk.old_start, hunk.removed)) return std::nullopt;
  }
  return text_of(lines);
}

}  // namespace gpuharden
