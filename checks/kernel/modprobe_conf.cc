// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/modprobe_conf.h"

#include <array>
#include <optional>

#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_name.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t";

struct LogicalLine {
  std::string text;
  std::uint32_t number = 0;
};

std::vector<LogicalLine> logical_lines(std::string_view text) {
  std::vector<LogicalLine> lines;
  LogicalLine line{"", 1};
  std::uint32_t number = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\n') {
      lines.push_back(std::move(line));
      line = {"", ++number};
      continue;
    }
    if (c == '\\') {
      if (++i == text.size()) break;
      c = text[i];
      if (c == '\n') {
        ++number;
        continue;
      }
    }
    line.text += c;
  }
  if (!line.text.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string_view take_word(std::string_view& text) {
  const auto start = text.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(start);
  const auto word = text.substr(0, text.find_first_of(kBlanks));
  // As strtok does: the one blank after the word goes with it, others stay with the rest.
  text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
  return word;
}

// C strings end at a NUL.
std::string_view up_to_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

std::optional<ModprobeLine> parse_line(std::string_view text) {
  const auto command = take_word(text);
  const auto module = take_word(text);
  if (module.empty()) return std::nullopt;
  ModprobeLine line{std::string(command), normalize_module_name(module), "", 0};
  if (command == "blacklist") return line;
  if (command == "alias") {
    const auto target = take_word(text);
    if (target.empty()) return std::nullopt;
    line.argument = normalize_module_name(target);
    return line;
  }
  static constexpr std::array<std::string_view, 4> kWithRest = {"options", "install", "remove", "softdep"};
  for (const auto known : kWithRest) {
    if (command != known || text.empty()) continue;
    line.argument = text;
    return line;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ModprobeLine> parse_modprobe_conf(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  std::vector<ModprobeLine> lines;
  for (const auto& [whole, number] : logical_lines(text)) {
    const auto content = up_to_nul(whole);
    const auto start = content.find_first_not_of(kBlanks);
    if (start == std::string_view::npos || content[start] == '#') continue;
    auto line = parse_line(content);
    if (!line) {
      bad_lines.push_back(number);
      continue;
    }
    line->line = number;
    lines.push_back(std::move(*line));
  }
  return lines;
}

// modprobe hands the text to the kernel, which splits it like its own command line.
std::vector<ModuleOption> parse_module_options(std::string_view argument) {
  std::vector<ModuleOption> options;
  for (auto& parameter : parse_kernel_cmdline(argument)) {
    if (parameter.for_init) break;
    options.push_back({normalize_module_name(parameter.name), parameter.value.value_or("")});
  }
  return options;
}

}  // namespace gpuharden
