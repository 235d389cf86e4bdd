// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_assignments.h"

#include <algorithm>
#include <array>
#include <optional>

#include "checks/environment/env_file.h"
#include "checks/environment/shell_lexer.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxConditionText = 512;
constexpr std::size_t kMaxFrames = 64;
constexpr std::size_t kMaxKnownValue = 1024;
constexpr std::array<std::string_view, 5> kDeclarations = {"export", "declare", "typeset", "readonly", "local"};

enum class FrameKind : std::uint8_t { kIf, kLoop, kCase, kFunction, kGroup, kSubshell };

struct Frame {
  FrameKind kind = FrameKind::kGroup;
  std::string condition;  // the text between if and then
  bool in_condition = false;
  bool in_pattern = false;   // of a case
  bool awaits_in = false;    // "case word" before "in"
};

struct Assignment {
  std::string_view name, word;
  bool appends = false;
};

// NAME=word, NAME+=word, NAME[index]=word.
std::optional<Assignment> as_assignment(std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return std::nullopt;
  Assignment out{word.substr(0, equals), word.substr(equals + 1), word[equals - 1] == '+'};
  if (out.appends) out.name.remove_suffix(1);
  if (out.name.ends_with(']')) out.name = out.name.substr(0, out.name.find('['));
  return is_variable_name(out.name) ? std::optional(out) : std::nullopt;
}

class ShellParser {
 public:
  ShellParser(std::string_view text, ShellVariables known) : lexer_(text), known_(std::move(known)) {}

  ShellText parse() {
    for (auto token = lexer_.next(); token.kind != ShellTokenKind::kEnd && !out_.is_truncated; token = lexer_.next()) {
      if (token.kind == ShellTokenKind::kWord) take_word(token);
      else take_operator(token.kind == ShellTokenKind::kNewline ? "\n" : token.text);
    }
    finish_command();
    out_.variables = std::move(known_);
    return std::move(out_);
  }

 private:
  Frame* top() { return frames_.empty() ? nullptr : &frames_.back(); }

  void push(FrameKind kind, bool in_condition = false) {
    if (frames_.size() < kMaxFrames) frames_.push_back({kind, "", in_condition, false, false});
    else ++too_deep_;
  }
  void pop(FrameKind kind) {
    if (too_deep_ > 0) --too_deep_;
    else if (!frames_.empty() && frames_.back().kind == kind) frames_.pop_back();
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
    const bool is_definition = words_.size() == 1 && !as_assignment(words_[0].text) && !words_[0].text.starts_with('[');
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
    return is_chained_ || std::any_of(frames_.begin(), frames_.end(), [](const Frame& frame) {
      return frame.kind != FrameKind::kGroup;
    });
  }
  bool is_guarded(std::string_view name) const {
    return refers_to(chain_, name) || std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
      return refers_to(frame.condition, name);
    });
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
    std::size_t first = 0;
    while (first < words_.size() && as_assignment(words_[first].text)) ++first;
    const bool for_command = first < words_.size();
    for (std::size_t i = 0; i < first; ++i) assign(words_[i], exports_all_ || for_command, for_command);
    if (for_command) run_command(first);
    remember_condition();
    words_.clear();
  }

  void run_command(std::size_t first) {
    auto command = unquote_shell_word(words_[first].text);
    while ((command == "command" || command == "builtin") && first + 1 < words_.size()) {
      command = unquote_shell_word(words_[++first].text);
    }
    const auto arguments = first + 1;
    const bool declares = std::find(kDeclarations.begin(), kDeclarations.end(), command) != kDeclarations.end();
    if (declares) return declare(command, arguments);
    if (command == "env") return take_env(arguments);
    if (command == "unset") return take_unset(arguments);
    if (command == "set") return take_set(arguments);
    if (arguments >= words_.size()) return;
    if (command == "umask") return add_text(ShellItemKind::kUmask, "umask", last_plain_argument(arguments));
    if (command == "source" || command == ".") return add_text(ShellItemKind::kSource, "source", words_[arguments]);
    if (command == "eval") add_text(ShellItemKind::kEval, "eval", words_[arguments]);
  }

  const ShellToken& last_plain_argument(std::size_t first) const {
    const auto& argument = words_[first];
    const bool is_option = argument.text.starts_with('-') && first + 1 < words_.size();
    return is_option ? words_[first + 1] : argument;
  }

  void declare(std::string_view command, std::size_t first) {
    bool exports = command == "export" || exports_all_;
    for (std::size_t i = first; i < words_.size(); ++i) {
      const auto word = words_[i].text;
      if (word.starts_with('-') || word.starts_with('+')) {
        if (command != "export" && word.find('x') != std::string_view::npos) exports = word[0] == '-';
        if (command == "export" && word.find('n') != std::string_view::npos) return;
      } else if (as_assignment(word)) {
        assign(words_[i], exports, false);
      } else if (exports) {
        export_earlier(unquote_shell_word(word));
      }
    }
  }

  void export_earlier(const std::string& name) {
    const auto found = items_of_.find(name);
    if (found == items_of_.end()) return;
    for (const auto at : found->second) out_.items[at].is_exported = true;
    found->second.clear();
  }

  void take_env(std::size_t first) {
    for (std::size_t i = first; i < words_.size(); ++i) {
      if (as_assignment(words_[i].text)) assign(words_[i], true, true);
      else if (!words_[i].text.starts_with('-')) return;
    }
  }

  void take_unset(std::size_t first) {
    for (std::size_t i = first; i < words_.size(); ++i) {
      const auto name = unquote_shell_word(words_[i].text);
      if (!is_variable_name(name)) continue;
      add({ShellItemKind::kUnset, name, std::string(words_[i].text), "", "", words_[i].line});
      known_.erase(name);
    }
  }

  void take_set(std::size_t first) {
    for (std::size_t i = first; i < words_.size(); ++i) {
      const bool long_form = i > first && words_[i].text == "history" && words_[i - 1].text == "+o";
      if (long_form) add({ShellItemKind::kHistoryOff, "history", "set +o history", "off", "", words_[i].line});
      if (words_[i].text == "-a" || (words_[i].text == "allexport" && words_[i - 1].text == "-o")) exports_all_ = true;
      if (words_[i].text == "+a") exports_all_ = false;
    }
  }

  void add_text(ShellItemKind kind, std::string_view name, const ShellToken& word) {
    ShellItem item{kind, std::string(name), std::string(word.text), expand_shell_word(word.text, known_), "", word.line};
    add(std::move(item));
  }

  void assign(const ShellToken& token, bool exported, bool for_command) {
    const auto assignment = *as_assignment(token.text);
    ShellItem item{ShellItemKind::kAssignment, std::string(assignment.name), std::string(assignment.word), "", "", token.line};
    item.value = expand_shell_word(assignment.word, known_);
    item.value_when_unset = item.value;
    item.refers_to_itself = assignment.appends || refers_to(assignment.word, assignment.name);
    const bool is_known = known_.contains(item.name);
    if (assignment.appends) item.value.insert(0, is_known ? known_[item.name] : "$" + item.name);
    if (assignment.appends && is_known) item.value_when_unset = item.value;
    if (!assignment.appends && !is_known) {
      item.value_when_unset = expand_shell_word(assignment.word, known_, assignment.name);
    }
    item.is_exported = exported;
    item.is_for_command = for_command;
    if (!for_command) remember_value(item);
    add(std::move(item));
  }

  // A value that may or may not have been assigned is not known any more.
  void remember_value(const ShellItem& item) {
    if (is_conditional() || item.value.size() > kMaxKnownValue) known_.erase(item.name);
    else known_[item.name] = item.value;
  }

  void add(ShellItem item) {
    if (out_.items.size() >= kMaxShellItems) {
      out_.is_truncated = true;
      return;
    }
    item.is_conditional = is_conditional();
    item.is_guarded = item.is_conditional && is_guarded(item.name);
    if (item.kind == ShellItemKind::kAssignment && !item.is_exported) items_of_[item.name].push_back(out_.items.size());
    out_.items.push_back(std::move(item));
  }

  ShellLexer lexer_;
  ShellVariables known_;
  std::vector<Frame> frames_;
  std::size_t too_deep_ = 0;       // blocks that are counted only
  std::vector<ShellToken> words_;  // of the command being read
  std::string chain_;              // earlier commands of an && or || list
  bool is_chained_ = false;
  bool names_function_ = false;
  bool next_is_body_ = false;
  bool exports_all_ = false;
  std::unordered_map<std::string, std::vector<std::size_t>> items_of_;  // not exported yet
  ShellText out_;
};

}  // namespace

ShellText parse_shell(std::string_view text, ShellVariables known) { return ShellParser(text, std::move(known)).parse(); }

}  // namespace gpuharden
