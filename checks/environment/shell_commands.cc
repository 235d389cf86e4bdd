// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/shell_commands.h"

#include <algorithm>
#include <array>
#include <optional>

#include "checks/environment/env_file.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxKnownValue = 1024;
constexpr std::array<std::string_view, 5> kDeclarations = {"export", "declare", "typeset", "readonly", "local"};

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

}  // namespace

bool is_shell_assignment(std::string_view word) { return as_assignment(word).has_value(); }

ShellText ShellCommands::take() {
  out_.variables = std::move(known_);
  return std::move(out_);
}

void ShellCommands::run(const std::vector<ShellToken>& words, const Context& context) {
  words_ = &words;
  context_ = &context;
  std::size_t first = 0;
  while (first < words.size() && as_assignment(words[first].text)) ++first;
  const bool for_command = first < words.size();
  for (std::size_t i = 0; i < first; ++i) assign(words[i], exports_all_ || for_command, for_command);
  if (for_command) run_command(first);
}

void ShellCommands::run_command(std::size_t first) {
  auto command = unquote_shell_word((*words_)[first].text);
  while ((command == "command" || command == "builtin") && first + 1 < (*words_).size()) {
    command = unquote_shell_word((*words_)[++first].text);
  }
  const auto arguments = first + 1;
  const bool declares = std::find(kDeclarations.begin(), kDeclarations.end(), command) != kDeclarations.end();
  if (declares) return declare(command, arguments);
  if (command == "env") return take_env(arguments);
  if (command == "unset") return take_unset(arguments);
  if (command == "set") return take_set(arguments);
  if (arguments >= (*words_).size()) return;
  if (command == "umask") return add_text(ShellItemKind::kUmask, "umask", last_plain_argument(arguments));
  if (command == "source" || command == ".") return add_text(ShellItemKind::kSource, "source", (*words_)[arguments]);
  if (command == "eval") add_text(ShellItemKind::kEval, "eval", (*words_)[arguments]);
}

const ShellToken& ShellCommands::last_plain_argument(std::size_t first) const {
  const auto& argument = (*words_)[first];
  const bool is_option = argument.text.starts_with('-') && first + 1 < (*words_).size();
  return is_option ? (*words_)[first + 1] : argument;
}

void ShellCommands::declare(std::string_view command, std::size_t first) {
  bool exports = command == "export" || exports_all_;
  for (std::size_t i = first; i < (*words_).size(); ++i) {
    const auto word = (*words_)[i].text;
    if (word.starts_with('-') || word.starts_with('+')) {
      if (command != "export" && word.find('x') != std::string_view::npos) exports = word[0] == '-';
      if (command == "export" && word.find('n') != std::string_view::npos) return;
    } else if (as_assignment(word)) {
      assign((*words_)[i], exports, false);
    } else if (exports) {
      export_earlier(unquote_shell_word(word));
    }
  }
}

void ShellCommands::export_earlier(const std::string& name) {
  const auto found = items_of_.find(name);
  if (found == items_of_.end()) return;
  for (const auto at : found->second) out_.items[at].is_exported = true;
  found->second.clear();
}

void ShellCommands::take_env(std::size_t first) {
  for (std::size_t i = first; i < (*words_).size(); ++i) {
    if (as_assignment((*words_)[i].text))
      assign((*words_)[i], true, true);
    else if (!(*words_)[i].text.starts_with('-'))
      return;
  }
}

void ShellCommands::take_unset(std::size_t first) {
  for (std::size_t i = first; i < (*words_).size(); ++i) {
    const auto name = unquote_shell_word((*words_)[i].text);
    if (!is_variable_name(name)) continue;
    add({ShellItemKind::kUnset, name, std::string((*words_)[i].text), "", "", (*words_)[i].line});
    known_.erase(name);
  }
}

void ShellCommands::take_set(std::size_t first) {
  for (std::size_t i = first; i < (*words_).size(); ++i) {
    const bool long_form = i > first && (*words_)[i].text == "history" && (*words_)[i - 1].text == "+o";
    if (long_form) add({ShellItemKind::kHistoryOff, "history", "set +o history", "off", "", (*words_)[i].line});
    if ((*words_)[i].text == "-a" || ((*words_)[i].text == "allexport" && (*words_)[i - 1].text == "-o"))
      exports_all_ = true;
    if ((*words_)[i].text == "+a") exports_all_ = false;
  }
}

void ShellCommands::add_text(ShellItemKind kind, std::string_view name, const ShellToken& word) {
  ShellItem item{kind, std::string(name), std::string(word.text), expand_shell_word(word.text, known_), "", word.line};
  add(std::move(item));
}

void ShellCommands::assign(const ShellToken& token, bool exported, bool for_command) {
  const auto assignment = *as_assignment(token.text);
  ShellItem item{
      ShellItemKind::kAssignment, std::string(assignment.name), std::string(assignment.word), "", "", token.line};
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
void ShellCommands::remember_value(const ShellItem& item) {
  if (context_->is_conditional || item.value.size() > kMaxKnownValue)
    known_.erase(item.name);
  else
    known_[item.name] = item.value;
}

void ShellCommands::add(ShellItem item) {
  if (out_.items.size() >= kMaxShellItems) {
    out_.is_truncated = true;
    return;
  }
  item.is_conditional = context_->is_conditional;
  item.is_guarded = item.is_conditional && context_->is_guarded(item.name);
  if (item.kind == ShellItemKind::kAssignment && !item.is_exported) items_of_[item.name].push_back(out_.items.size());
  out_.items.push_back(std::move(item));
}

}  // namespace gpuharden
