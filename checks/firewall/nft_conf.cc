// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/firewall/nft_conf.h"

#include <algorithm>
#include <array>

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 6> kFamilies = {"ip", "ip6", "inet", "arp", "bridge", "netdev"};

struct Token {
  std::string text;
  std::uint32_t line = 0;
  bool is_end = false;  // of a statement
};

// Words, braces and ends of statements; without comments and quotes.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) take(text_[at_]);
    end_word();
    return std::move(tokens_);
  }

 private:
  void take(char c) {
    ++at_;
    if (c == '"') return take_quoted();
    if (c == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (c == '\\' && at_ < text_.size() && text_[at_] == '\n') {
      ++at_, ++line_;
      return end_word();
    }
    const bool is_mark = c == '{' || c == '}';
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ';' && c != '#' && !is_mark) {
      word_ += c;
      return;
    }
    end_word();
    if (is_mark) tokens_.push_back({std::string(1, c), line_, false});
    if (c == '\n' || c == ';') tokens_.push_back({"", line_, true});
    line_ += c == '\n' ? 1 : 0;
  }

  void take_quoted() {
    const auto end = std::min(text_.find('"', at_), text_.size());
    word_ += text_.substr(at_, end - at_);
    at_ = std::min(end + 1, text_.size());
  }

  void end_word() {
    if (!word_.empty()) tokens_.push_back({word_, line_, false});
    word_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::string word_;
  std::vector<Token> tokens_;
};

void take_statement(const std::vector<Token>& words, NftConf& conf) {
  if (words.empty()) return;
  std::size_t at = 0;
  if (words[0].text == "add" || words[0].text == "create") at = 1;
  const auto word = [&](std::size_t index) { return index < words.size() ? words[index].text : std::string(); };
  if (word(0) == "include" && words.size() > 1) conf.includes.push_back(word(1));
  if (word(0) == "flush" && word(1) == "ruleset") conf.flushes = true;
  if (word(at) != "table") return;
  const bool has_family =
      std::find(kFamilies.begin(), kFamilies.end(), word(at + 1)) != kFamilies.end() && !word(at + 2).empty();
  const auto name = word(at + (has_family ? 2 : 1));
  if (!name.empty()) conf.tables.push_back({has_family ? word(at + 1) : "ip", name, words[0].line});
}

}  // namespace

NftConf parse_nft_conf(std::string_view text) {
  NftConf conf;
  std::vector<Token> words;
  std::size_t depth = 0;
  for (auto& token : Lexer(text).run()) {
    const bool is_brace = token.text == "{" || token.text == "}";
    if (depth == 0 && (token.is_end || is_brace)) {
      take_statement(words, conf);
      words.clear();
    }
    if (token.text == "{") ++depth;
    if (token.text == "}" && depth > 0) --depth;
    if (depth == 0 && !token.is_end && !is_brace) words.push_back(std::move(token));
  }
  take_statement(words, conf);
  return conf;
}

}  // namespace gpuharden
