// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/dkms_conf.h"

namespace gpuharden {
namespace {

bool is_name_byte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  DkmsConf run() {
    while (!at_end()) {
      const char c = text_[at_];
      if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == ';') {
        step();
      } else if (c == '#') {
        skip_line();
      } else if (!read_assignment()) {
        conf_.code_lines.push_back(line_);
        skip_line();
      }
    }
    return std::move(conf_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char step() {
    if (text_[at_] == '\n') ++line_;
    return text_[at_++];
  }
  void skip_line() {
    while (!at_end() && text_[at_] != '\n') ++at_;
  }

  // NAME=, NAME[0]= or NAME+=; nothing is consumed when it is none.
  bool read_assignment() {
    std::size_t at = at_;
    while (at < text_.size() && is_name_byte(text_[at])) ++at;
    DkmsAssignment assignment;
    assignment.name = text_.substr(at_, at - at_);
    if (assignment.name.empty()) return false;
    if (at < text_.size() && text_[at] == '[') {
      const auto close = text_.find_first_of("]\n", at);
      if (close == std::string_view::npos || text_[close] != ']') return false;
      assignment.index = text_.substr(at + 1, close - at - 1);
      at = close + 1;
    }
    if (at + 1 < text_.size() && text_[at] == '+' && text_[at + 1] == '=') {
      assignment.is_computed = true;
      ++at;
    }
    if (at >= text_.size() || text_[at] != '=') return false;
    at_ = at + 1;
    assignment.line = line_;
    read_value(assignment);
    conf_.assignments.push_back(std::move(assignment));
    return true;
  }

  void read_value(DkmsAssignment& out) {
    if (!at_end() && text_[at_] == '(') out.is_computed = true;
    char quote = '\0';
    while (!at_end()) {
      const char c = text_[at_];
      if (quote == '\0' && (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == ';')) return;
      step();
      if (c == quote || (quote == '\0' && (c == '"' || c == '\''))) {
        quote = quote == '\0' ? c : '\0';
      } else if (c == '\\' && quote != '\'' && !at_end()) {
        const char escaped = step();
        if (escaped != '\n') out.value += escaped;
      } else {
        if (quote != '\'' && (c == '$' || c == '`')) out.is_computed = true;
        out.value += c;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  DkmsConf conf_;
};

}  // namespace

const DkmsAssignment* DkmsConf::find(std::string_view name) const {
  for (auto it = assignments.rbegin(); it != assignments.rend(); ++it) {
    if (it->name == name && (it->index.empty() || it->index == "0")) return &*it;
  }
  return nullptr;
}

DkmsConf parse_dkms_conf(std::string_view text) { return Scanner(text).run(); }

}  // namespace gpuharden
