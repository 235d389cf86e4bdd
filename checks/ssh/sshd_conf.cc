// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/ssh/sshd_conf.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// The option's name and what follows it, as sshd's own splitter takes the first word.
std::pair<std::string, std::string_view> first_word(std::string_view line) {
  std::string name;
  std::string_view rest;
  if (line.starts_with('"')) {
    const auto end = line.find('"', 1);
    if (end == std::string_view::npos) return {std::string(line), {}};
    name = line.substr(1, end - 1);
    rest = line.substr(end + 1);
  } else {
    const auto end = std::min(line.find_first_of(" \t\r=\""), line.size());
    name = line.substr(0, end);
    rest = line.substr(end);
  }
  const auto skip = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size())); };
  skip();
  if (rest.starts_with('=')) {
    rest.remove_prefix(1);
    skip();
  }
  return {std::move(name), rest};
}

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view text) : text_(text) {}

  // Nothing when a quote is not closed.
  std::optional<std::vector<std::string>> split() {
    std::vector<std::string> words;
    while (true) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ == text_.size() || text_[at_] == '#') return words;
      auto word = next();
      if (!word) return std::nullopt;
      words.push_back(std::move(*word));
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }

  std::optional<std::string> next() {
    std::string word;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      const char following = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
      if (c == '\\' && is_escapable(following, quote)) {
        word += following;
        ++at_;
      } else if (quote == 0 && is_blank(c)) {
        break;
      } else if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
      } else if (quote != 0 && c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    }
    return quote == 0 ? std::optional(std::move(word)) : std::nullopt;
  }

  static bool is_escapable(char c, char quote) {
    return c == '\'' || c == '"' || c == '\\' || (quote == 0 && c == ' ');
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view trim_line(std::string_view line) {
  const auto begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  const auto end = line.find_last_not_of(" \t\r\f");
  return end < begin ? std::string_view() : line.substr(begin, end - begin + 1);
}

}  // namespace

std::vector<SshdLine> parse_sshd_conf(std::string_view text) {
  std::vector<SshdLine> out;
  std::uint32_t number = 0;
  for (auto line : split(text, '\n')) {
    ++number;
    // sshd reads lines as C strings.
    line = trim_line(line.substr(0, line.find('\0')));
    if (line.empty() || line.front() == '#') continue;
    const auto [name, rest] = first_word(line);
    SshdLine one;
    one.option = canonical_sshd_option(to_lower(name));
    one.line = number;
    auto words = WordSplitter(rest).split();
    one.is_bad = !words.has_value();
    if (words) one.words = std::move(*words);
    out.push_back(std::move(one));
  }
  return out;
}

std::string_view canonical_sshd_option(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kAliases = {{
      {"challengeresponseauthentication", "kbdinteractiveauthentication"},
      {"skeyauthentication", "kbdinteractiveauthentication"},
      {"dsaauthentication", "pubkeyauthentication"},
      {"hostdsakey", "hostkey"},
      {"keepalive", "tcpkeepalive"},
      {"pubkeyacceptedkeytypes", "pubkeyacceptedalgorithms"},
      {"hostbasedacceptedkeytypes", "hostbasedacceptedalgorithms"},
      {"authorizedkeysfile2", "authorizedkeysfile"},
      {"casignaturealgorithm", "casignaturealgorithms"},
  }};
  const auto* found =
      std::find_if(kAliases.begin(), kAliases.end(), [&](const auto& alias) { return alias.first == name; });
  return found == kAliases.end() ? name : found->second;
}

bool adds_up(std::string_view option) {
  static constexpr std::array<std::string_view, 11> kOptions = {
      "port",        "listenaddress", "hostkey",   "hostcertificate", "allowusers", "denyusers",
      "allowgroups", "denygroups",    "acceptenv", "subsystem",       "setenv"};
  return std::find(kOptions.begin(), kOptions.end(), option) != kOptions.end();
}

}  // namespace gpuharden
