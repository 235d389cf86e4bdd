// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/trace.h"

#include <algorithm>
#include <array>
#include <optional>

#include "engine/base/text.h"

namespace gpuharden::test {
namespace {

constexpr std::array<std::pair<std::string_view, Access>, 5> kWords = {{{"open", Access::kOpen},
                                                                        {"list", Access::kList},
                                                                        {"link", Access::kLink},
                                                                        {"stat", Access::kStat},
                                                                        {"sockets", Access::kSockets}}};

// One line of strace, in the parts that matter.
struct Call {
  std::string_view name;
  std::string folder;    // of the descriptor that is the first argument
  std::string argument;  // the first string
  std::string_view rest;
  std::string result;  // path of the descriptor that came back
  bool failed = false;
};

std::string_view octal_digits(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("01234567"), text.size()));
}

// "etc/x" of "\"etc/x\", …", with strace's escapes undone.
std::string quoted(std::string_view text) {
  std::string out;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    const auto digits = text[i] == '\\' ? octal_digits(text.substr(i + 1, 3)) : std::string_view();
    if (!digits.empty()) {
      out += static_cast<char>(parse_unsigned(digits, 8).value_or(0));
      i += digits.size();
    } else {
      if (text[i] == '\\' && i + 1 < text.size()) ++i;
      out += text[i];
    }
  }
  return out;
}

// "/etc/x" of "5</etc/x>", "/dev/null" of "5</dev/null<char 1:3>>".
std::string described(std::string_view text) {
  const auto start = text.find('<');
  const auto end = text.rfind('>');
  if (start == std::string_view::npos || end == std::string_view::npos || end < start) return {};
  const auto path = text.substr(start + 1, end - start - 1);
  if (path.empty() || path[0] != '/') return {};
  return std::string(path.substr(0, std::min(path.find("<char "), path.find("<block "))));
}

std::optional<Call> parse_call(std::string_view line) {
  const auto parenthesis = line.find('(');
  const auto equals = line.rfind(") = ");
  if (parenthesis == std::string_view::npos || equals == std::string_view::npos || equals < parenthesis)
    return std::nullopt;
  Call call;
  call.name = line.substr(0, parenthesis);
  call.rest = line.substr(parenthesis + 1, equals - parenthesis - 1);
  const auto quote = call.rest.find('"');
  if (quote != std::string_view::npos) call.argument = quoted(call.rest.substr(quote));
  call.folder = described(call.rest.substr(0, std::min(quote, call.rest.find(", "))));
  const auto result = line.substr(equals + 4);
  call.failed = result.starts_with("-1");
  if (!call.failed) call.result = described(result);
  return call;
}

std::string full_path(const Call& call) {
  if (call.argument.empty()) return call.folder;
  if (call.argument[0] == '/' && call.name != "openat2") return call.argument;
  const std::string slash = call.folder == "/" || call.argument[0] == '/' ? "" : "/";
  return call.folder + slash + call.argument;
}

bool is_look(std::string_view name) {
  return name.find("stat") != std::string_view::npos || name.find("access") != std::string_view::npos ||
         name.ends_with("xattr");
}

bool is_of_descriptor(std::string_view path) { return path.starts_with("/proc/self/fd/"); }

class Collector {
 public:
  explicit Collector(std::string_view pid) : own_folder_(concat({"/proc/", pid, "/"})) {}

  void take(const Call& call) {
    if (call.name == "socket") {
      if (call.rest.find("SOCK_DIAG") != std::string_view::npos) add(Access::kSockets, "");
    } else if (call.name.starts_with("readlink")) {
      take_link(call);
    } else if (call.name.starts_with("open")) {
      take_open(call);
    } else if (is_look(call.name) && !full_path(call).empty() && !is_of_descriptor(full_path(call))) {
      located_.insert(own_or(full_path(call)));
    }
  }

  std::set<Operation> finish() {
    for (const auto& path : located_) {
      const bool known = std::any_of(kWords.begin(), kWords.end(), [&](const auto& word) {
        return found_.contains({word.second, path});
      });
      if (!known) add(Access::kStat, path);
    }
    return std::move(found_);
  }

 private:
  void take_link(const Call& call) {
    const auto path = full_path(call);
    if (!path.empty() && !is_of_descriptor(path)) add(Access::kLink, path);
  }

  void take_open(const Call& call) {
    if (call.failed) {
      located_.insert(own_or(full_path(call)));
      return;
    }
    if (call.result.empty()) return;
    if (call.rest.find("O_PATH") != std::string_view::npos) {
      located_.insert(own_or(call.result));
    } else {
      add(call.rest.find("O_DIRECTORY") != std::string_view::npos ? Access::kList : Access::kOpen, call.result);
    }
  }

  // The traced process is gone when its files are read again.
  std::string own_or(const std::string& path) const {
    return path.starts_with(own_folder_) ? "/proc/self/" + path.substr(own_folder_.size()) : path;
  }

  void add(Access access, const std::string& path) {
    const bool is_library =
        path.find(".so.") != std::string::npos || path.ends_with(".so") || path == "/etc/ld.so.cache";
    if (!is_library) found_.insert({access, own_or(path)});
  }

  std::string own_folder_;
  std::set<Operation> found_;
  std::set<std::string> located_;
};

}  // namespace

std::string_view to_string(Access access) {
  for (const auto& [word, value] : kWords) {
    if (value == access) return word;
  }
  return "?";
}

std::set<Operation> operations_in_trace(std::string_view trace, std::string_view pid) {
  Collector collector(pid);
  for (const auto line : split(trace, '\n')) {
    if (const auto call = parse_call(line)) collector.take(*call);
  }
  return collector.finish();
}

std::string format_operations(const std::set<Operation>& operations) {
  std::string text;
  for (const auto& [access, path] : operations) text += concat({to_string(access), " ", path, "\n"});
  return text;
}

std::vector<Operation> parse_operations(std::string_view text) {
  std::vector<Operation> operations;
  for (const auto line : split(text, '\n')) {
    const auto blank = line.find(' ');
    for (const auto& [word, access] : kWords) {
      if (blank != std::string_view::npos && word == line.substr(0, blank)) {
        operations.push_back({access, std::string(line.substr(blank + 1))});
      }
    }
  }
  return operations;
}

}  // namespace gpuharden::test
