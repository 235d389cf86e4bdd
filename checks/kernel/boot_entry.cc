// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/boot_entry.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

// Kernels take 4 KiB at most; what variables make of a text has an end.
constexpr std::size_t kLongestCmdline = 65536;
constexpr std::size_t kMostNames = 100;

bool is_name_byte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// The name after a '$' at `at`, and where the text goes on; an empty name for a plain '$'.
std::string_view variable_at(std::string_view text, std::size_t at, std::size_t& next) {
  const bool in_braces = at + 1 < text.size() && text[at + 1] == '{';
  const std::size_t start = at + (in_braces ? 2 : 1);
  std::size_t end = start;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  const bool is_closed = !in_braces || (end < text.size() && text[end] == '}');
  next = end == start || !is_closed ? at + 1 : end + (in_braces ? 1 : 0);
  return is_closed ? text.substr(start, end - start) : std::string_view();
}

}  // namespace

std::string expand_loader_variables(std::string_view text, const LoaderVariables& variables,
                                    std::vector<std::string>& unresolved) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && out.size() <= kLongestCmdline;) {
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    std::size_t next = i;
    const auto name = variable_at(text, i, next);
    const auto known = variables.find(name);
    if (name.empty()) {
      out += text.substr(i, next - i);
    } else if (known != variables.end()) {
      out += known->second;  // once: a value that names itself does not go round
    } else if (unresolved.size() < kMostNames &&
               std::find(unresolved.begin(), unresolved.end(), name) == unresolved.end()) {
      unresolved.emplace_back(name);
    }
    i = next;
  }
  if (out.size() > kLongestCmdline) {
    out.resize(kLongestCmdline);
    unresolved.emplace_back("(too long)");
  }
  return out;
}

std::string release_of_kernel(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  static constexpr std::array<std::string_view, 4> kPrefixes = {"vmlinuz-", "vmlinux-", "linux-", "kernel-"};
  for (const auto prefix : kPrefixes) {
    if (name.starts_with(prefix)) return std::string(name.substr(prefix.size()));
  }
  if (name != "linux" || slash == std::string_view::npos || slash == 0) return {};
  const auto folder = path.substr(0, slash);
  const auto last = folder.substr(folder.rfind('/') + 1);
  const bool is_release = !last.empty() && last.front() >= '0' && last.front() <= '9' && last.find('.') != last.npos;
  return is_release ? std::string(last) : std::string();
}

}  // namespace gpuharden
