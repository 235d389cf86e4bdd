// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/grub_config.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxItems = 2000;
constexpr std::size_t kMaxDepth = 16;

struct Word {
  std::string text;
  std::size_t start = 0;  // in the line
};

// Words of a line with their quotes taken off; a comment ends it.
std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  char quote = '\0';
  bool is_inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool is_blank = c == ' ' || c == '\t' || c == '\r' || c == ';';
    if (quote == '\0' && is_blank) {
      is_inside = false;
      continue;
    }
    if (quote == '\0' && c == '#' && !is_inside) return words;
    if (!is_inside) words.push_back({"", i});
    is_inside = true;
    if (c == quote || (quote == '\0' && (c == '"' || c == '\''))) {
      quote = quote == '\0' ? c : '\0';
    } else if (c == '\\' && quote != '\'' && i + 1 < line.size()) {
      words.back().text += line[++i];
    } else {
      words.back().text += c;
    }
  }
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class Parser {
 public:
  GrubConfig run(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const auto end = std::min(text.find('\n'), text.size());
      const auto words = words_of(text.substr(0, end));
      if (!words.empty()) read(words, text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (auto& item : config_.items) {
      auto& entry = item.entry;
      entry.cmdline = expand_loader_variables(raw_[&item - config_.items.data()], config_.variables, entry.unresolved);
      entry.release = release_of_kernel(entry.kernel);
    }
    return std::move(config_);
  }

 private:
  static constexpr std::size_t kNoItem = static_cast<std::size_t>(-1);
  struct Block {
    std::size_t item = kNoItem;  // kNoItem for a function
    std::size_t children = 0;
  };

  void read(const std::vector<Word>& words, std::string_view line) {
    const auto& first = words[0].text;
    if (is_one_of(first, {"menuentry", "submenu"})) return open_item(words, first == "submenu");
    if (first == "}") return close_block();
    if (is_one_of(first, {"linux", "linuxefi", "linux16"}) && words.size() > 1) read_kernel(words, line);
    if (is_one_of(first, {"initrd", "initrdefi", "initrd16"})) read_initrd(words);
    if (first == "set" && words.size() > 1) read_set(words[1].text);
    if (first == "blscfg") config_.takes_loader_entries = true;
    // In an entry it loads that entry's own file, as for another system.
    if (is_one_of(first, {"configfile", "source", "."}) && words.size() > 1 && depth() == 0)
      config_.hands_over = words[1].text;
    if (words.back().text == "{") blocks_.push_back({});
  }

  std::size_t depth() const { return blocks_.size(); }
  std::size_t current_item() const { return blocks_.empty() ? kNoItem : blocks_.back().item; }

  void open_item(const std::vector<Word>& words, bool is_submenu) {
    const bool is_full = config_.items.size() >= kMaxItems || depth() >= kMaxDepth;
    if (is_full || words.size() < 2) return blocks_.push_back({});
    GrubMenuItem item;
    item.is_submenu = is_submenu;
    item.entry.title = words[1].text;
    item.entry.line = line_;
    for (std::size_t i = 2; i + 1 < words.size(); ++i) {
      if (is_one_of(words[i].text, {"--id", "$menuentry_id_option", "${menuentry_id_option}"}))
        item.entry.id = words[i + 1].text;
    }
    const auto parent = current_item();
    auto& number = blocks_.empty() ? top_children_ : blocks_.back().children;
    item.entry.place = parent == kNoItem ? std::to_string(number)
                                         : concat({config_.items[parent].entry.place, ">", std::to_string(number)});
    ++number;
    blocks_.push_back({config_.items.size(), 0});
    config_.items.push_back(std::move(item));
    raw_.emplace_back();
  }

  void close_block() {
    if (!blocks_.empty()) blocks_.pop_back();
  }

  void read_kernel(const std::vector<Word>& words, std::string_view line) {
    const auto item = current_item();
    if (item == kNoItem) return;
    config_.items[item].entry.kernel = words[1].text;
    raw_[item] = words.size() > 2 ? trim(line.substr(words[2].start)) : std::string_view();
  }

  void read_initrd(const std::vector<Word>& words) {
    const auto item = current_item();
    if (item != kNoItem && words.size() > 1) config_.items[item].entry.initrd = words.back().text;
  }

  void read_set(std::string_view assignment) {
    const auto equals = assignment.find('=');
    if (equals == std::string_view::npos) return;
    const auto name = assignment.substr(0, equals);
    const auto value = assignment.substr(equals + 1);
    if (name == "default") {
      auto& defaults = config_.defaults;
      if (std::find(defaults.begin(), defaults.end(), value) == defaults.end()) defaults.emplace_back(value);
    } else if (value.find('$') == std::string_view::npos) {
      config_.variables.insert_or_assign(std::string(name), std::string(value));
    }
  }

  GrubConfig config_;
  std::vector<std::string> raw_;  // command lines as written, one an item
  std::vector<Block> blocks_;
  std::size_t top_children_ = 0;
  std::uint32_t line_ = 0;
};

bool is_child_of(const GrubMenuItem& item, std::string_view parent) {
  const auto& place = item.entry.place;
  const auto cut = place.rfind('>');
  return parent.empty() ? cut == std::string::npos : cut == parent.size() && place.starts_with(parent);
}

const GrubMenuItem* find_child(const std::vector<GrubMenuItem>& items, std::string_view parent, std::string_view name) {
  for (const auto& item : items) {
    if (!is_child_of(item, parent)) continue;
    const auto& entry = item.entry;
    const auto number = std::string_view(entry.place).substr(parent.empty() ? 0 : parent.size() + 1);
    if (number == name || entry.title == name || (!entry.id.empty() && entry.id == name)) return &item;
  }
  return nullptr;
}

}  // namespace

GrubConfig parse_grub_config(std::string_view text) { return Parser().run(text); }

LoaderVariables parse_grub_environment(std::string_view text) {
  LoaderVariables variables;
  for (const auto line : split(text, '\n')) {
    const auto equals = line.find('=');
    if (line.starts_with('#') || equals == std::string_view::npos || equals == 0) continue;
    variables.insert_or_assign(std::string(line.substr(0, equals)), std::string(line.substr(equals + 1)));
  }
  return variables;
}

const GrubMenuItem* find_grub_default(const std::vector<GrubMenuItem>& items, std::string_view value) {
  const GrubMenuItem* found = nullptr;
  // A title may hold '>' itself, written twice.
  std::string parent;
  for (const auto part : split(value, '>')) {
    found = find_child(items, parent, part);
    if (found == nullptr) break;
    parent = found->entry.place;
  }
  if (found == nullptr && !items.empty()) found = &items.front();
  return found == nullptr || found->is_submenu ? nullptr : found;
}

}  // namespace gpuharden
