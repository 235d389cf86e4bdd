// SPDX-License-Identifier: GPL-2.0-or-later
// fish and csh: other words for the same things. Their blocks are only counted.
#include <algorithm>
#include <array>

#include "checks/environment/env_file.h"
#include "checks/environment/shell_assignments.h"
#include "checks/environment/shell_lexer.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Words = std::vector<ShellToken>;

// Calls take(words) for each simple command.
template <typename Take>
void each_command(std::string_view text, Take take) {
  ShellLexer lexer(text);
  Words words;
  for (;;) {
    const auto token = lexer.next();
    const bool is_parenthesis = token.text == "(" || token.text == ")";
    if (token.kind == ShellTokenKind::kWord || is_parenthesis) {
      words.push_back(token);
      continue;
    }
    if (!words.empty()) take(words);
    words.clear();
    if (token.kind == ShellTokenKind::kEnd) return;
  }
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Collector {
 public:
  explicit Collector(const ShellVariables& known) : known_(known) {}

  void add(ShellItemKind kind, std::string_view name, const Words& words, std::size_t first, std::string_view separator,
           bool exported, int depth) {
    if (out.items.size() >= kMaxShellItems) {
      out.is_truncated = true;
      return;
    }
    ShellItem item;
    item.kind = kind;
    item.name = name;
    item.line = words[0].line;
    item.is_exported = exported;
    item.is_conditional = depth > 0;
    for (std::size_t i = first; i < words.size(); ++i) {
      const auto between = i > first ? separator : "";
      item.raw.append(i > first ? " " : "").append(words[i].text);
      item.value.append(between).append(expand_shell_word(words[i].text, known_));
      item.value_when_unset.append(between).append(expand_shell_word(words[i].text, known_, name));
      item.refers_to_itself = item.refers_to_itself || refers_to(words[i].text, name);
    }
    out.items.push_back(std::move(item));
  }

  ShellText out;

 private:
  const ShellVariables& known_;
};

void take_fish_set(const Words& words, Collector& out, int depth) {
  bool exports = false;
  std::size_t at = 1;
  for (; at < words.size() && words[at].text.starts_with('-'); ++at) {
    const auto option = words[at].text;
    exports =
        exports || option == "--export" || (!option.starts_with("--") && option.find('x') != std::string_view::npos);
    const bool erases =
        option == "--erase" || (!option.starts_with("--") && option.find('e') != std::string_view::npos);
    if (erases && at + 1 < words.size())
      return out.add(ShellItemKind::kUnset, words[at + 1].text, words, words.size(), "", false, depth);
  }
  if (at >= words.size() || !is_variable_name(words[at].text)) return;
  // A list in fish; the path variables become "a:b" for other programs. An unset one adds no element.
  const auto name = words[at].text;
  out.add(ShellItemKind::kAssignment, name, words, at + 1, name.ends_with("PATH") ? ":" : " ", exports, depth);
  ShellItem& item = out.out.items.back();
  const bool is_own_element =
      std::any_of(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end(), [&](const ShellToken& word) {
        return word.text == concat({"$", name});
      });
  if (is_own_element) item.value_when_unset = item.value;
}

}  // namespace

ShellText parse_fish(std::string_view text, const ShellVariables& known) {
  Collector out(known);
  int depth = 0;
  each_command(text, [&](const Words& words) {
    const auto command = words[0].text;
    if (is_one_of(command, {"if", "for", "while", "switch", "function", "begin"})) ++depth;
    if (command == "end") depth = std::max(0, depth - 1);
    if (command == "set") return take_fish_set(words, out, depth);
    if (words.size() < 2) return;
    if (command == "umask") return out.add(ShellItemKind::kUmask, "umask", words, 1, " ", false, depth);
    if (command == "source" || command == ".")
      return out.add(ShellItemKind::kSource, "source", words, 1, " ", false, depth);
    if (command != "export") return;
    const auto equals = words[1].text.find('=');
    if (equals == std::string_view::npos || !is_variable_name(words[1].text.substr(0, equals))) return;
    Words value = words;
    value[1].text.remove_prefix(equals + 1);
    out.add(ShellItemKind::kAssignment, words[1].text.substr(0, equals), value, 1, ":", true, depth);
  });
  return std::move(out.out);
}

ShellText parse_csh(std::string_view text, const ShellVariables& known) {
  Collector out(known);
  int depth = 0;
  each_command(text, [&](const Words& words) {
    const auto command = words[0].text;
    const bool opens =
        (command == "if" && words.back().text == "then") || is_one_of(command, {"foreach", "while", "switch"});
    if (opens) ++depth;
    if (is_one_of(command, {"endif", "end", "endsw"})) depth = std::max(0, depth - 1);
    // "if (…) setenv A b" sets under a condition on one line.
    const auto at = std::find_if(words.begin(), words.end(), [](const ShellToken& word) {
      return is_one_of(word.text, {"setenv", "umask", "unsetenv", "source"});
    });
    if (at == words.end() || at + 1 == words.end()) return;
    const Words own(at, words.end());
    const int own_depth = depth + (at == words.begin() ? 0 : 1);
    if (own[0].text == "setenv" && is_variable_name(own[1].text)) {
      return out.add(ShellItemKind::kAssignment, own[1].text, own, 2, " ", true, own_depth);
    }
    if (own[0].text == "umask") return out.add(ShellItemKind::kUmask, "umask", own, 1, " ", false, own_depth);
    if (own[0].text == "source") return out.add(ShellItemKind::kSource, "source", own, 1, " ", false, own_depth);
    if (own[0].text == "unsetenv") out.add(ShellItemKind::kUnset, own[1].text, own, own.size(), "", false, own_depth);
  });
  return std::move(out.out);
}

}  // namespace gpuharden
