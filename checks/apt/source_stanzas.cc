// SPDX-License-Identifier: GPL-2.0-or-later
// The deb822 format of sources.list(5).
#include <algorithm>

#include "checks/apt/deb822.h"
#include "checks/apt/source_entry.h"
#include "checks/apt/source_options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMostRefused = 20;

std::vector<std::string> words_of(const Deb822Stanza& stanza, std::string_view name) {
  std::vector<std::string> words;
  const auto* field = find_field(stanza, name);
  if (field == nullptr) return words;
  for (const auto word : split_words(field->value)) words.emplace_back(word);
  return words;
}

void take_options(const Deb822Stanza& stanza, SourceEntry& entry) {
  for (const auto& field : stanza.fields) {
    const auto option = option_of_field(field.name);
    if (!option.empty()) entry.options.insert_or_assign(std::string(option), field.value);
    const std::string sentence = misspelled_field(field.name, field.value);
    if (!sentence.empty()) entry.misspelled.push_back(sentence);
  }
  // An empty value stands for none.
  const auto signed_by = entry.options.find("signed-by");
  if (signed_by != entry.options.end() && signed_by->second.empty()) entry.options.erase(signed_by);
}

std::string refused_types(const SourceEntry& entry) {
  for (const auto& type : entry.types) {
    if (type != "deb" && type != "deb-src") return refused_type(type);
  }
  return "";
}

std::string refused_place(const SourceEntry& entry) {
  if (entry.uris.empty()) return "it has no URI";
  if (entry.suites.empty()) return "it has no suite";
  for (const auto& uri : entry.uris) {
    if (uri.find(':') == std::string::npos) return "a URI has no scheme";
  }
  for (const auto& suite : entry.suites) {
    if (suite.back() == '/' && !entry.components.empty()) return "a suite is a path, so it may have no component";
    if (suite.back() != '/' && entry.components.empty()) return "it has no component";
  }
  const auto signed_by = entry.options.find("signed-by");
  if (signed_by == entry.options.end() || parse_signed_by(signed_by->second).invalid.empty()) return "";
  return "its Signed-By is neither a path, a fingerprint nor a key";
}

SourceEntry to_entry(const Deb822Stanza& stanza) {
  SourceEntry entry;
  entry.line = stanza.line;
  entry.text = std::string(trim(stanza.text));
  entry.types = words_of(stanza, "Types");
  entry.uris = words_of(stanza, "URIs");
  entry.suites = words_of(stanza, "Suites");
  entry.components = words_of(stanza, "Components");
  entry.repeated = repeated_fields(stanza);
  take_options(stanza, entry);
  const auto* enabled = find_field(stanza, "Enabled");
  entry.enabled = enabled == nullptr || enabled->value.empty() || apt_boolean(enabled->value).value_or(true);
  if (stanza.unfinished) {
    entry.unusable = "its last line is no field";
  } else if (find_field(stanza, "Types") == nullptr) {
    entry.unusable = "it has no Types field";
  } else {
    // apt looks at the types of disabled stanzas, and at nothing else of them.
    entry.unusable = refused_types(entry);
    if (entry.unusable.empty() && entry.enabled && !entry.types.empty()) entry.unusable = refused_place(entry);
  }
  return entry;
}

}  // namespace

SourceEntries parse_source_stanzas(std::string_view text) {
  SourceEntries out;
  std::size_t refused = 0;
  for (const auto& stanza : parse_deb822(text)) {
    out.entries.push_back(to_entry(stanza));
    refused += out.entries.back().unusable.empty() ? 0 : 1;
    out.gave_up = refused >= kMostRefused;
    if (out.gave_up) break;
  }
  return out;
}

}  // namespace gpuharden
