// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/env_file.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_character(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

void add_line(EnvText& out, std::string_view name, std::string value, std::uint32_t line) {
  if (!is_variable_name(name)) {
    out.bad_lines.push_back(line);
    return;
  }
  out.lines.push_back({std::string(name), std::move(value), line});
}

// One pair of equal outer quotes.
std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// Calls take(line, number) for each line; backslash at the end joins the next one.
template <typename Take>
void each_joined_line(std::string_view text, Take take) {
  std::uint32_t number = 0;
  std::uint32_t begin = 0;
  std::string joined;
  for (auto line : split(text, '\n')) {
    ++number;
    if (joined.empty()) begin = number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.ends_with('\\')) {
      joined.append(line.substr(0, line.size() - 1)).append(" ");
      continue;
    }
    joined += line;
    take(std::string_view(joined), begin);
    joined.clear();
  }
  if (!joined.empty()) take(std::string_view(joined), begin);
}

// "DEFAULT=…" or "OVERRIDE=…" at `at`: the value, and `at` behind it.
std::string read_pam_value(std::string_view text, std::size_t& at) {
  const bool quoted = at < text.size() && text[at] == '"';
  if (quoted) ++at;
  std::string value;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted ? c == '"' : c == ' ' || c == '\t') break;
    if (c == '\\' && at + 1 < text.size() && (text[at + 1] == '$' || text[at + 1] == '@')) ++at;
    value += text[at];
  }
  if (quoted && at < text.size()) ++at;
  return value;
}

}  // namespace

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_name_start(name[0]) && std::all_of(name.begin(), name.end(), is_name_character);
}

EnvText parse_pam_environment(std::string_view text) {
  EnvText out;
  each_joined_line(text, [&](std::string_view line, std::uint32_t number) {
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) return;
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) return out.bad_lines.push_back(number);
    auto value = line.substr(equals + 1);
    // pam_env takes a quote away at each end on its own.
    if (!value.empty() && (value[0] == '"' || value[0] == '\'')) {
      value.remove_prefix(1);
      if (value.ends_with('"') || value.ends_with('\'')) value.remove_suffix(1);
    }
    add_line(out, line.substr(0, equals), std::string(value), number);
  });
  return out;
}

EnvText parse_pam_env_conf(std::string_view text) {
  EnvText out;
  each_joined_line(text, [&](std::string_view line, std::uint32_t number) {
    line = trim(line);
    if (line.empty() || line[0] == '#') return;
    const auto name = line.substr(0, line.find_first_of(" \t="));
    auto at = name.size();
    if (at < line.size() && line[at] == '=') {
      return add_line(out, name, std::string(without_quotes(line.substr(at + 1))), number);
    }
    bool found = false;
    while ((at = line.find_first_not_of(" \t", at)) != std::string_view::npos) {
      const auto equals = line.find('=', at);
      const auto key = line.substr(at, equals == std::string_view::npos ? equals : equals - at);
      if (key != "DEFAULT" && key != "OVERRIDE") break;
      at = std::min(equals, line.size() - 1) + 1;
      add_line(out, name, read_pam_value(line, at), number);
      found = true;
    }
    if (!found) out.bad_lines.push_back(number);
  });
  return out;
}

EnvText parse_crontab_variables(std::string_view text) {
  EnvText out;
  std::uint32_t number = 0;
  for (const auto whole : split(text, '\n')) {
    ++number;
    const auto line = trim(whole);
    const auto equals = line.find('=');
    if (line.empty() || line[0] == '#' || equals == std::string_view::npos) continue;
    const auto name = without_quotes(trim(line.substr(0, equals)));
    if (is_variable_name(name)) add_line(out, name, std::string(without_quotes(trim(line.substr(equals + 1)))), number);
  }
  return out;
}

EnvText parse_ssh_environment(std::string_view text) {
  EnvText out;
  std::uint32_t number = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    line.remove_prefix(begin);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos)
      out.bad_lines.push_back(number);
    else
      add_line(out, line.substr(0, equals), std::string(line.substr(equals + 1)), number);
  }
  return out;
}

}  // namespace gpuharden
