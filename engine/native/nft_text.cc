// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/nft_text.h"

#include <map>

#include "engine/base/text.h"
#include "engine/native/nft_words.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxKey = 64;
constexpr std::size_t kMaxData = 512;

// A line's words: "kind family table name …key=value".
class Line {
 public:
  explicit Line(std::string_view text) : words_(split_words(text)) {}

  std::string_view word(std::size_t at) const { return at < words_.size() ? words_[at] : std::string_view(); }
  std::string name(std::size_t at) const { return unescape_nft_name(word(at)); }
  std::optional<std::string_view> value(std::string_view key) const {
    for (const auto text : words_) {
      if (text.size() > key.size() && text.starts_with(key) && text[key.size()] == '=')
        return text.substr(key.size() + 1);
    }
    return std::nullopt;
  }
  std::uint32_t number(std::string_view key) const {
    return static_cast<std::uint32_t>(parse_c_integer(value(key).value_or("0")).value_or(0));
  }
  const std::vector<std::string_view>& words() const { return words_; }

 private:
  std::vector<std::string_view> words_;
};

NftChain parse_chain(const Line& line, int family) {
  NftChain chain{family, line.name(2), line.name(3), {}, std::string(line.value("type").value_or("")), {}};
  if (line.value("hook")) {
    chain.hook.emplace();
    chain.hook->number = line.number("hook");
    chain.hook->priority = static_cast<std::int32_t>(line.number("priority"));
    for (const auto device : split(line.value("devices").value_or(""), ',')) {
      if (!device.empty()) chain.hook->devices.push_back(unescape_nft_name(device));
    }
  }
  if (const auto verdict = parse_nft_verdict(line.value("policy").value_or("")))
    chain.policy = static_cast<std::uint32_t>(verdict->code);
  return chain;
}

// What is wrong, or "".
std::string parse_rule(const Line& line, int family, NftRule& rule) {
  rule = {family, line.name(2), line.name(3), parse_unsigned(line.word(4)).value_or(0), {}, {}};
  bool is_name = false;
  for (std::size_t i = 5; i < line.words().size(); ++i) {
    const auto word = line.word(i);
    if (word == ";") {
      is_name = true;
    } else if (is_name) {
      rule.expressions.push_back({unescape_nft_name(word), {}});
      is_name = false;
    } else if (rule.expressions.empty() && word.starts_with("comment=")) {
      rule.comment = unescape_nft_name(word.substr(word.find('=') + 1));
    } else {
      auto* expression = rule.expressions.empty() ? nullptr : &rule.expressions.back();
      const auto attribute = expression == nullptr ? std::nullopt : parse_nft_attribute(expression->name, word);
      if (!attribute) return concat({"\"", word.substr(0, 80), "\" makes no sense here"});
      expression->attributes.push_back(*attribute);
    }
  }
  return {};
}

NftSet parse_set(const Line& line, int family) {
  NftSet set{family, line.name(2), line.name(3), line.number("flags"), line.number("key"), 0, {}, {}, false};
  set.data_type = line.number("data");
  for (const auto field : split(line.value("fields").value_or(""), ',')) {
    if (const auto length = parse_unsigned(field)) set.fields.push_back(static_cast<std::uint32_t>(*length));
  }
  return set;
}

NftElement parse_element(const Line& line) {
  NftElement element;
  element.key = nft_bytes_from_hex(line.value("key").value_or("")).value_or("").substr(0, kMaxKey);
  element.key_end = nft_bytes_from_hex(line.value("end").value_or("")).value_or("").substr(0, kMaxKey);
  element.flags = line.number("flags");
  element.is_conditional = line.number("conditional") != 0;
  if (const auto data = line.value("data")) element.data = parse_nft_data(data->substr(0, kMaxData));
  return element;
}

class Parser {
 public:
  explicit Parser(std::vector<NftTextFault>& faults) : faults_(faults) {}

  void take(std::string_view text) {
    ++number_;
    const Line line(text);
    if (line.words().empty() || line.word(0).starts_with('#')) return;
    const auto family = parse_nft_family(line.word(1));
    if (!family) return fail(concat({"\"", line.word(1).substr(0, 80), "\" is no family"}));
    const auto kind = line.word(0);
    if (line.word(kind == "table" ? 2 : 3).empty()) return fail("a name is missing");
    if (kind == "table") {
      ruleset.tables.push_back({*family, line.name(2), line.number("flags")});
    } else if (kind == "chain") {
      ruleset.chains.push_back(parse_chain(line, *family));
    } else if (kind == "set") {
      sets_[set_name(line)] = ruleset.sets.size();
      ruleset.sets.push_back(parse_set(line, *family));
    } else {
      take_content(kind, line, *family);
    }
  }
  NftRuleset ruleset;

 private:
  static std::string set_name(const Line& line) { return concat({line.word(1), " ", line.word(2), " ", line.word(3)}); }

  void take_content(std::string_view kind, const Line& line, int family) {
    if (kind == "rule") {
      NftRule rule;
      if (const auto fault = parse_rule(line, family, rule); !fault.empty()) fail(fault);
      ruleset.rules.push_back(std::move(rule));
      return;
    }
    const auto set = sets_.find(set_name(line));
    if (kind != "element" && kind != "cut") return fail(concat({"unknown word \"", kind.substr(0, 80), "\""}));
    if (set == sets_.end()) return fail("there is no such set above");
    if (kind == "cut") {
      ruleset.sets[set->second].is_cut = true;
    } else {
      ruleset.sets[set->second].elements.push_back(parse_element(line));
    }
  }

  void fail(std::string sentence) { faults_.push_back({number_, std::move(sentence)}); }

  std::vector<NftTextFault>& faults_;
  std::size_t number_ = 0;
  std::map<std::string, std::size_t> sets_;
};

std::string place(int family, std::string_view table, std::string_view name) {
  return concat({nft_family_name(family), " ", escape_nft_name(table), " ", escape_nft_name(name)});
}

std::string chain_line(const NftChain& chain) {
  std::string out = "chain " + place(chain.family, chain.table, chain.name);
  if (!chain.type.empty()) out += " type=" + chain.type;
  if (chain.hook) {
    out += concat({" hook=", std::to_string(chain.hook->number), " priority=", std::to_string(chain.hook->priority)});
    std::vector<std::string> devices;
    for (const auto& device : chain.hook->devices) devices.push_back(escape_nft_name(device));
    if (!devices.empty()) out += " devices=" + join(devices, ",");
  }
  if (chain.policy) out += " policy=" + nft_verdict_name({static_cast<std::int32_t>(*chain.policy), ""});
  return out + "\n";
}

std::string rule_line(const NftRule& rule) {
  std::string out = concat({"rule ", place(rule.family, rule.table, rule.chain), " ", std::to_string(rule.handle)});
  if (!rule.comment.empty()) out += " comment=" + escape_nft_name(rule.comment);
  for (const auto& expression : rule.expressions) out += " ; " + format_nft_expression(expression);
  return out + "\n";
}

std::string element_line(const std::string& set, const NftElement& element) {
  std::string out = concat({"element ", set, " key=", to_hex(element.key)});
  if (!element.key_end.empty()) out += " end=" + to_hex(element.key_end);
  if (element.data) out += " data=" + format_nft_data(*element.data);
  if (element.flags != 0) out += " flags=" + std::to_string(element.flags);
  if (element.is_conditional) out += " conditional=1";
  return out + "\n";
}

std::string set_lines(const NftSet& set) {
  const std::string name = place(set.family, set.table, set.name);
  std::string out =
      concat({"set ", name, " flags=", std::to_string(set.flags), " key=", std::to_string(set.key_length)});
  if (set.data_type != 0) out += " data=" + std::to_string(set.data_type);
  std::vector<std::string> fields;
  for (const auto length : set.fields) fields.push_back(std::to_string(length));
  if (!fields.empty()) out += " fields=" + join(fields, ",");
  out += "\n";
  for (const auto& element : set.elements) out += element_line(name, element);
  return set.is_cut ? concat({out, "cut ", name, "\n"}) : out;
}

}  // namespace

std::string format_nft_text(const NftRuleset& ruleset) {
  std::string out;
  for (const auto& table : ruleset.tables) {
    out += concat({"table ", nft_family_name(table.family), " ", escape_nft_name(table.name)});
    out += table.flags == 0 ? std::string("\n") : concat({" flags=", std::to_string(table.flags), "\n"});
  }
  for (const auto& chain : ruleset.chains) out += chain_line(chain);
  for (const auto& set : ruleset.sets) out += set_lines(set);
  for (const auto& rule : ruleset.rules) out += rule_line(rule);
  return out;
}

NftRuleset parse_nft_text(std::string_view text, std::vector<NftTextFault>& faults) {
  Parser parser(faults);
  for (const auto line : split(text, '\n')) parser.take(line);
  return std::move(parser.ruleset);
}

}  // namespace gpuharden
