// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/unit_file.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kLineEnds("\n\r\0", 3);

struct Line {
  std::string_view text;
  std::uint32_t number = 0;
};

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  bool next(Line& line) {
    if (at_ >= text_.size()) return false;
    const auto end = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
    line = {text_.substr(at_, end - at_), number_};
    at_ = end;
    skip_line_end();
    return true;
  }

 private:
  // "\r\n" and "\n\r" are one end: a character that was already part of it begins the next.
  void skip_line_end() {
    bool seen[3] = {};
    while (at_ < text_.size()) {
      const auto kind = kLineEnds.find(text_[at_]);
      if (kind == std::string_view::npos || seen[kind]) return;
      seen[kind] = true;
      if (text_[at_] == '\n') ++number_;
      ++at_;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t number_ = 1;
};

bool is_comment(std::string_view line) {
  const auto text = trim(line);
  return !text.empty() && (text[0] == '#' || text[0] == ';');
}

// An odd number of backslashes at the end: the last one is not itself escaped.
bool is_continued(std::string_view line) {
  const auto last = line.find_last_not_of('\\');
  const auto count = last == std::string_view::npos ? line.size() : line.size() - last - 1;
  return count % 2 == 1;
}

// The line with what continues it; `line` still ends with the backslash.
std::string_view read_continued(LineReader& reader, std::string_view line, UnitText& out) {
  std::string& joined = out.joined.emplace_back();
  for (Line next{line, 0};;) {
    const bool goes_on = is_continued(next.text);
    joined += goes_on ? next.text.substr(0, next.text.size() - 1) : next.text;
    if (goes_on) joined += ' ';
    if (!goes_on) return joined;
    do {
      if (!reader.next(next)) return joined;
    } while (is_comment(next.text));
    next.text.remove_prefix(std::min(next.text.find_first_not_of(" \t"), next.text.size()));
  }
}

}  // namespace

std::shared_ptr<const UnitText> parse_unit_text(std::string bytes) {
  auto out = std::make_shared<UnitText>();
  out->bytes = std::move(bytes);
  LineReader reader(out->bytes);
  std::string_view section;
  for (Line line; reader.next(line);) {
    if (is_comment(line.text)) continue;
    const auto whole = is_continued(line.text) ? read_continued(reader, line.text, *out) : line.text;
    const auto text = trim(whole);
    if (text.empty()) continue;
    const auto equals = text.find('=');
    if (text[0] == '[' && text.back() == ']') {
      section = text.substr(1, text.size() - 2);
    } else if (equals == std::string_view::npos || equals == 0) {
      out->bad_lines.push_back(line.number);
    } else {
      out->assignments.push_back({section, trim(text.substr(0, equals)), trim(text.substr(equals + 1)), line.number});
    }
  }
  return out;
}

}  // namespace gpuharden
