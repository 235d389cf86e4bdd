// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_assignments.h"

#include <algorithm>

#include "checks/environment/shell_commands.h"
#include "checks/environment/shell_lexer.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxConditionText = 512;
constexpr std::size_t kMaxFrames = 64;

enum class FrameKind : std::uint8_t { kIf, kLoop, kCase, kFunction, kGroup, kSubshell };

struct Frame {
  FrameKind kind = FrameKind::kGroup;
  std::string condition;  // the text between if and then
  bool in_condition = false;
  bool in_pattern = false;  // of a case
  bool awaits_in = false;   // "case word" before "in"
};

class ShellParser {
 public:
  ShellParser(std::string_view text, ShellVariables known) : lexer_(text), commands_(std::move(known)) {}

  ShellText parse() {
    for (auto token = lexer_.next(); token.kind != ShellTokenKind::kEnd && !commands_.is_full();
         token = lexer_.next()) {
      if (token.kind == ShellTokenKind::kWord)
        take_word(token);
      else
        take_operator(token.kind == ShellTokenKind::kNewline ? "\n" : token.text);
    }
    finish_command();
    return commands_.take();
  }

 private:
  Frame* top() { return frames_.empty() ? nullptr : &frames_.back(); }

  void push(FrameKind kind, bool in_condition = false) {
    if (frames_.size() < kMaxFrames)
      frames_.push_back({kind, "", in_condition, false, false});
    else
      ++too_deep_;
  }
  void pop(FrameKind kind) {
    if (too_deep_ > 0)
      --too_deep_;
    else if (!frames_.empty() && frames_.back().kind == kind)
      frames_.pop_back();
  }

  void take_word(const ShellToken& token) {
    if (Frame* frame = top(); frame != nullptr && frame->kind == FrameKind::kCase) {
      if (frame->awaits_in) return take_case_subject(*frame, token.text);
      if (frame->in_pattern && token.text == "esac") return pop(FrameKind::kCase);
      if (frame->in_pattern) return;
    }
    if (names_function_) {
      names_function_ = false;
      next_is_body_ = true;
      return;
    }
    if (words_.empty() && take_keyword(token.text)) return;
    next_is_body_ = false;
    words_.push_back(token);
  }

  static void take_case_subject(Frame& frame, std::string_view word) {
    if (word == "in") {
      frame.awaits_in = false;
      frame.in_pattern = true;
    } else if (frame.condition.size() < kMaxConditionText) {
      frame.condition += word;
    }
  }

  bool take_keyword(std::string_view word) {
    if (word == "if") return push(FrameKind::kIf, true), true;
    if (word == "while" || word == "until") return push(FrameKind::kLoop, true), true;
    if (word == "for" || word == "select") return push(FrameKind::kLoop), false;  // the words up to ';' are its command
    if (word == "then" || word == "do") return end_condition(), true;
    if (word == "elif" && top() != nullptr) return top()->in_condition = true, true;
    if (word == "else" || word == "!" || word == "time") return true;
    if (word == "fi") return pop(FrameKind::kIf), true;
    if (word == "done") return pop(FrameKind::kLoop), true;
    if (word == "esac") return pop(FrameKind::kCase), true;
    if (word == "function") return names_function_ = true, true;
    if (word == "case") {
      push(FrameKind::kCase);
      if (top() != nullptr) top()->awaits_in = top()->kind == FrameKind::kCase;
      return true;
    }
    if (word == "{") return push(next_is_body_ ? FrameKind::kFunction : FrameKind::kGroup), next_is_body_ = false, true;
    if (word == "}") return close_braces(), true;
    return false;
  }

  void end_condition() {
    if (top() != nullptr) top()->in_condition = false;
  }
  void close_braces() {
    if (top() != nullptr) pop(top()->kind == FrameKind::kGroup ? FrameKind::kGroup : FrameKind::kFunction);
  }

  void take_operator(std::string_view text) {
    Frame* frame = top();
    if (frame != nullptr && frame->kind == FrameKind::kCase && frame->in_pattern) {
      if (text == ")") frame->in_pattern = false;
      return;
    }
    if (text == "(") return open_parenthesis();
    if (next_is_body_ && text == "\n") return;
    const bool was_empty = words_.empty();
    finish_command();
    if (text == ")") return pop(FrameKind::kSubshell);
    if (text.starts_with(";;") || text == ";&") return begin_pattern();
    if (text == "&&" || text == "||" || text == "|" || text == "|&") {
      is_chained_ = true;
    } else if (text != "\n" || !was_empty) {
      // A newline right behind && goes on with the chain.
      is_chained_ = false;
      chain_.clear();
    }
  }

  void open_parenthesis() {
    const bool is_definition =
        words_.size() == 1 && !is_shell_assignment(words_[0].text) && !words_[0].text.starts_with('[');
    if (is_definition) {
      words_.clear();
      lexer_.next();  // ")"
      next_is_body_ = true;
      return;
    }
    if (next_is_body_) {
      // "function f ()" or a body in parentheses: only the latter is closed later.
      const auto after = lexer_.next();
      if (after.text == ")") return;
      push(FrameKind::kSubshell);
      next_is_body_ = false;
      if (after.kind == ShellTokenKind::kWord) take_word(after);
      return;
    }
    finish_command();
    push(FrameKind::kSubshell);
  }

  void begin_pattern() {
    if (top() != nullptr && top()->kind == FrameKind::kCase) top()->in_pattern = true;
  }

  bool is_conditional() const {
    return is_chained_ || std::any_of(frames_.begin(), frames_.end(),
                                      [](const Frame& frame) { return frame.kind != FrameKind::kGroup; });
  }
  bool is_guarded(std::string_view name) const {
    return refers_to(chain_, name) || std::any_of(frames_.begin(), frames_.end(),
                                                  [&](const Frame& frame) { return refers_to(frame.condition, name); });
  }

  void remember_condition() {
    Frame* frame = top();
    std::string& text = frame != nullptr && frame->in_condition ? frame->condition : chain_;
    for (const auto& word : words_) {
      if (text.size() > kMaxConditionText) return;
      text.append(" ").append(word.text);
    }
  }

  void finish_command() {
    if (words_.empty()) return;
    commands_.run(words_, {is_conditional(), [this](std::string_view name) { return is_guarded(name); }});
    remember_condition();
    words_.clear();
  }

  ShellLexer lexer_;
  ShellCommands commands_;
  std::vector<Frame> frames_;
  std::size_t too_deep_ = 0;       // blocks that are counted only
  std::vector<ShellToken> words_;  // of the command being read
  std::string chain_;              // earlier commands of an && or || list
  bool is_chained_ = false;
  bool names_function_ = false;
  bool next_is_body_ = false;
};

}  // namespace

ShellText parse_shell(std::string_view text, ShellVariables known) {
  return ShellParser(text, std::move(known)).parse();
}

}  // namespace gpuharden
