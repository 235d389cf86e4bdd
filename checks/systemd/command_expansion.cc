// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/command_expansion.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

class Expander {
 public:
  explicit Expander(const UnitEnvironment& environment) : environment_(environment) {}

  void add(std::string_view word) {
    if (word.size() > 1 && word[0] == '$' && is_variable_name(word.substr(1))) {
      const std::string value = value_of(word.substr(1));
      for (auto& part : split_unit_words(value)) out_.words.push_back(std::move(part));
    } else {
      out_.words.push_back(replaced(word));
    }
  }

  ExpandedCommand take() { return std::move(out_); }

 private:
  std::string value_of(std::string_view name) {
    const auto* variable = environment_.find(name);
    if (variable == nullptr) return {};
    if (variable->kind == UnitVariableKind::kPass) {
      out_.unread.emplace_back(name);
      return {};
    }
    return variable->value;
  }

  std::string replaced(std::string_view word) {
    std::string text;
    while (!word.empty()) {
      const auto dollar = word.find('$');
      text += word.substr(0, dollar);
      if (dollar == std::string_view::npos) break;
      word.remove_prefix(dollar + 1);
      const auto end = word.starts_with('{') ? word.find('}') : std::string_view::npos;
      if (word.starts_with('$')) {
        text += '$';
        word.remove_prefix(1);
      } else if (end != std::string_view::npos && is_variable_name(word.substr(1, end - 1))) {
        text += value_of(word.substr(1, end - 1));
        word.remove_prefix(end + 1);
      } else {
        text += '$';
      }
    }
    return text;
  }

  const UnitEnvironment& environment_;
  ExpandedCommand out_;
};

}  // namespace

ExpandedCommand expand_command(const UnitCommand& command, const UnitEnvironment& environment) {
  if (command.flags.find(':') != std::string::npos || command.words.empty()) return {command.words, {}};
  Expander expander(environment);
  for (std::size_t i = 1; i < command.words.size(); ++i) expander.add(command.words[i]);
  auto out = expander.take();
  out.words.insert(out.words.begin(), command.words.front());
  return out;
}

}  // namespace gpuharden
