// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/deb822.h"

#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Builds stanzas from one line after the other.
class StanzaReader {
 public:
  void take(std::string_view line, std::uint32_t number) {
    if (!line.empty() && line[0] == '#') return keep_text(line);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() && pending_.empty()) return finish();
    if (stanza_.line == 0) stanza_.line = number;
    keep_text(line);
    if (pending_.empty() && is_blank(line[0])) return fold(line);
    start_field(line, number);
  }

  void finish() {
    stanza_.unfinished = !pending_.empty();
    if (stanza_.line != 0) stanzas_.push_back(std::move(stanza_));
    stanza_ = {};
    pending_.clear();
  }

  std::vector<Deb822Stanza> stanzas() && {
    for (auto& stanza : stanzas_) {
      for (auto& field : stanza.fields) field.value = std::string(trim(field.value));
    }
    return std::move(stanzas_);
  }

 private:
  void keep_text(std::string_view line) {
    if (stanza_.line != 0) stanza_.text.append(line).append("\n");
  }

  void fold(std::string_view line) {
    if (!stanza_.fields.empty()) stanza_.fields.back().value.append("\n").append(line);
  }

  void start_field(std::string_view line, std::uint32_t number) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) {
      pending_.append(line).append("\n");
      return;
    }
    const std::string name = pending_ + std::string(line.substr(0, colon));
    pending_.clear();
    stanza_.fields.push_back({std::string(trim(name)), std::string(line.substr(colon + 1)), number});
  }

  std::vector<Deb822Stanza> stanzas_;
  Deb822Stanza stanza_;
  std::string pending_;  // the start of a name that has not met its colon
};

}  // namespace

std::vector<Deb822Stanza> parse_deb822(std::string_view text) {
  StanzaReader reader;
  std::uint32_t number = 0;
  for (const auto line : split(text, '\n')) reader.take(line, ++number);
  reader.finish();
  return std::move(reader).stanzas();
}

const Deb822Field* find_field(const Deb822Stanza& stanza, std::string_view name) {
  const Deb822Field* found = nullptr;
  for (const auto& field : stanza.fields) {
    if (equals_ignore_case(field.name, name)) found = &field;
  }
  return found;
}

std::vector<std::string> repeated_fields(const Deb822Stanza& stanza) {
  std::map<std::string, int> counts;
  std::vector<std::string> repeated;
  for (const auto& field : stanza.fields) {
    if (++counts[to_lower(field.name)] == 2) repeated.push_back(field.name);
  }
  return repeated;
}

}  // namespace gpuharden
