// SPDX-License-Identifier: GPL-2.0-or-later
// Rule files: YAML to Rule, with every fault named at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/rule.h"
#include "engine/native/yaml.h"
#include "engine/rules/attack.h"
#include "engine/rules/diagnostic.h"

namespace gpuharden {

// One rule from the text of `file`; `id` comes from its path. What the YAML alone can tell is
// checked here, SQL is checked by scan/lint. The rule is only usable when nothing was added to
// `diagnostics`.
Rule load_rule(const std::string& id, const std::string& file, std::string_view text, const TechniqueTables& techniques,
               std::vector<Diagnostic>& diagnostics);

// "apt/signed-by.yaml" gives "apt.signed-by"; empty when the path is no rule's.
std::string rule_id(std::string_view relative_path);

// A file's one YAML document; nothing, and every fault told, when it is none.
std::optional<YamlNode> parse_document(std::string_view text, FileDiagnostics& out);

// Reads YAML values and complains in one file's name. Shared by rules, policies and floors.
class ValueReader {
 public:
  explicit ValueReader(FileDiagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void fail(std::string_view code, const YamlNode& node, std::string sentence) {
    diagnostics_.add(code, node.place.line, node.place.column, std::move(sentence));
  }
  void unknown_key(const YamlNode& key, const std::vector<std::string>& known);
  std::string text(const YamlNode& node);
  std::vector<std::string> list(const YamlNode& node);
  ParamValue param(const YamlNode& node);
  bool boolean(const YamlNode& node);
  // One of the words, as its index; 0 after a complaint.
  std::size_t word(const YamlNode& node, const std::vector<std::string>& words);

 private:
  FileDiagnostics& diagnostics_;
};

}  // namespace gpuharden
