// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/toml.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_bare(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '-' || letter == '_';
}

// Takes a file apart from front to back; a place that nothing fits makes a fault of its line.
class TomlParser {
 public:
  explicit TomlParser(std::string_view text) : rest_(text) {}

  TomlText parse() && {
    while (!rest_.empty()) {
      const auto line = line_;
      if (!statement()) out_.faults.push_back(line);
      skip_line();
    }
    return std::move(out_);
  }

 private:
  char front() const { return rest_.empty() ? '\n' : rest_.front(); }

  void skip(std::size_t count) {
    line_ += static_cast<std::uint32_t>(std::count(rest_.begin(), rest_.begin() + static_cast<long>(count), '\n'));
    rest_.remove_prefix(count);
  }

  bool take(char letter) {
    if (rest_.empty() || rest_.front() != letter) return false;
    skip(1);
    return true;
  }

  void skip_blanks() { skip(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }
  void skip_line() { skip(std::min(rest_.find('\n'), rest_.size() - 1) + 1); }

  // Only a comment may follow.
  bool is_at_end() {
    skip_blanks();
    return front() == '#' || front() == '\n' || rest_.substr(0, 2) == "\r\n" || rest_ == "\r";
  }

  bool statement() {
    if (is_at_end()) return true;
    const auto line = line_;
    if (take('[')) return table();
    const auto name = dotted_name();
    if (!name || !take('=')) return false;
    skip_blanks();
    auto value = this->value();
    if (!value || !is_at_end()) return false;
    const auto whole = table_.empty() ? *name : concat({table_, ".", *name});
    if (!names_.insert(whole).second) return false;
    out_.settings.push_back({whole, std::move(*value), line});
    return true;
  }

  bool table() {
    const bool is_list = take('[');
    auto name = dotted_name();
    if (!name || !take(']') || (is_list && !take(']')) || !is_at_end()) return false;
    // A table that stands there twice is a fault; each element of a list of tables is one more.
    if (is_list) name = concat({*name, ".", std::to_string(lists_++)});
    table_ = *name;
    return tables_.insert(table_).second;
  }

  std::optional<std::string> dotted_name() {
    std::string name;
    do {
      skip_blanks();
      if (front() == '"' || front() == '\'') {
        const auto part = string();
        if (!part) return std::nullopt;
        name += *part;
      } else {
        const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_bare);
        if (end == rest_.begin()) return std::nullopt;
        name.append(rest_.begin(), end);
        skip(static_cast<std::size_t>(end - rest_.begin()));
      }
      skip_blanks();
      if (front() == '.') name += '.';
    } while (take('.'));
    return name;
  }

  std::optional<std::string> value() {
    if (front() == '"' || front() == '\'') return string();
    if (front() == '[') return list();
    const auto end = std::min(rest_.find_first_of(" \t\r\n#"), rest_.size());
    const std::string word(rest_.substr(0, end));
    // Switches, numbers and dates; tables in one line are not understood.
    const bool is_word = word == "true" || word == "false" ||
                         (!word.empty() && word.find_first_not_of("0123456789abcdefxoTZ_+-.:") == std::string::npos &&
                          word.find_first_of("0123456789") != std::string::npos);
    if (!is_word) return std::nullopt;
    skip(end);
    return word;
  }

  // A string of one line. Those of several lines, and escapes that nobody needs for paths, are not understood.
  std::optional<std::string> string() {
    const char quote = front();
    if (rest_.substr(0, 3) == std::string(3, quote)) return std::nullopt;
    skip(1);
    std::string out;
    while (!rest_.empty() && front() != quote) {
      if (front() == '\n') return std::nullopt;
      if (quote == '"' && take('\\') && front() != '"' && front() != '\\') return std::nullopt;
      out += front();
      skip(1);
    }
    if (!take(quote)) return std::nullopt;
    return out;
  }

  std::optional<std::string> list() {
    std::string out = "[";
    skip(1);
    for (;;) {
      skip_space_and_comments();
      if (take(']')) return out + "]";
      if (front() == '[') return std::nullopt;  // lists in lists
      const auto item = value();
      if (!item) return std::nullopt;
      if (out.size() > 1) out += ", ";
      out += *item;
      skip_space_and_comments();
      if (!take(',') && front() != ']') return std::nullopt;
    }
  }

  void skip_space_and_comments() {
    for (;;) {
      skip(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
      if (rest_.empty() || rest_.front() != '#') return;
      skip_line();
    }
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::string table_;
  std::size_t lists_ = 0;
  std::set<std::string> names_, tables_;
  TomlText out_;
};

}  // namespace

TomlText parse_toml(std::string_view text) { return TomlParser(text).parse(); }

}  // namespace gpuharden
