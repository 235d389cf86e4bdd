// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/rule_loader.h"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

const std::vector<std::string> kHorizons = {"now", "persistent", "next_boot"};

class RuleReader {
 public:
  RuleReader(Rule& rule, std::string_view text, FileDiagnostics& diagnostics, const TechniqueTables& techniques)
      : rule_(rule), text_(text), values_(diagnostics), techniques_(techniques) {}

  void read(const YamlNode& root);

 private:
  using Handler = void (RuleReader::*)(const YamlNode&);
  struct Key {
    std::string_view name;
    Handler handler;
    bool required;
  };
  static const std::vector<Key>& keys();

  void title(const YamlNode& node) { rule_.title = values_.text(node); }
  void severity(const YamlNode& node);
  void maturity(const YamlNode& node) {
    rule_.maturity = values_.word(node, {"experimental", "stable"}) == 0 ? Maturity::kExperimental : Maturity::kStable;
  }
  void attack(const YamlNode& node) { rule_.attack = technique_ids(node, techniques_.attack, "ATT&CK"); }
  void atlas(const YamlNode& node) { rule_.atlas = technique_ids(node, techniques_.atlas, "ATLAS"); }
  void controls(const YamlNode& node);
  void tags(const YamlNode& node) { rule_.tags = values_.list(node); }
  void why(const YamlNode& node) { rule_.why = values_.text(node); }
  void params(const YamlNode& node);
  void query(const YamlNode& node) { add_query("now", node); }
  void queries(const YamlNode& node);
  void message(const YamlNode& node) { rule_.message = values_.text(node); }
  void none(const YamlNode& node) { rule_.none = values_.text(node); }
  void empty(const YamlNode& node) {
    rule_.empty = static_cast<EmptyMeans>(values_.word(node, {"not_applicable", "fail", "pass"}));
  }
  void fails_by(const YamlNode& node) {
    rule_.fails_by = static_cast<FailsBy>(values_.word(node, {"presence", "absence"}));
    rule_.fails_by_given = true;
  }
  void key(const YamlNode& node) { rule_.key = values_.list(node); }
  void fix(const YamlNode& node);
  void manual(const YamlNode& node) { rule_.manual = values_.text(node); }
  void references(const YamlNode& node);

  void add_query(const std::string& horizon, const YamlNode& node);
  void param(const YamlNode& name, const YamlNode& node);
  std::vector<std::string> technique_ids(const YamlNode& node, const TechniqueTable& table, std::string_view what);
  void check_whole(const YamlNode& root);

  SourcePlace place_of_text(const YamlNode& node) const;

  Rule& rule_;
  std::string_view text_;  // of the file
  ValueReader values_;
  const TechniqueTables& techniques_;
};

const std::vector<RuleReader::Key>& RuleReader::keys() {
  using R = RuleReader;
  static const std::vector<Key> kKeys = {{"title", &R::title, true},
                                         {"severity", &R::severity, true},
                                         {"maturity", &R::maturity, true},
                                         {"attack", &R::attack, true},
                                         {"atlas", &R::atlas, false},
                                         {"controls", &R::controls, false},
                                         {"tags", &R::tags, false},
                                         {"why", &R::why, true},
                                         {"params", &R::params, false},
                                         {"query", &R::query, false},
                                         {"queries", &R::queries, false},
                                         {"message", &R::message, true},
                                         {"none", &R::none, false},
                                         {"empty", &R::empty, false},
                                         {"fails_by", &R::fails_by, false},
                                         {"key", &R::key, false},
                                         {"fix", &R::fix, false},
                                         {"manual", &R::manual, true},
                                         {"references", &R::references, true}};
  return kKeys;
}

void RuleReader::read(const YamlNode& root) {
  if (!root.is_map()) return values_.fail("wrong-type", root, "a rule is a map: title, severity, query, …");
  std::vector<std::string> names;
  for (const auto& key : keys()) names.emplace_back(key.name);
  std::size_t position = 0;
  for (const auto& [name, value] : root.entries) {
    const std::string& word = name.scalar;  // clang 14 captures no structured binding
    const auto found = std::find_if(keys().begin(), keys().end(), [&](const Key& key) { return key.name == word; });
    if (found == keys().end()) {
      values_.unknown_key(name, names);
      continue;
    }
    const auto index = static_cast<std::size_t>(found - keys().begin());
    if (index < position) {
      values_.fail("key-order", name, concat({"\"", name.scalar, "\" comes before \"", keys()[position].name, "\""}));
    }
    position = std::max(position, index);
    (this->*found->handler)(value);
  }
  check_whole(root);
}

void RuleReader::check_whole(const YamlNode& root) {
  for (const auto& key : keys()) {
    if (key.required && root.find(key.name) == nullptr) {
      values_.fail("missing-key", root, concat({"the key \"", key.name, "\" is missing"}));
    }
  }
  if ((root.find("query") == nullptr) == (root.find("queries") == nullptr)) {
    values_.fail("missing-key", root, "a rule has either \"query\" or \"queries\"");
  }
  if (rule_.empty == EmptyMeans::kNotApplicable && rule_.none.empty()) {
    values_.fail("missing-key", root, "the key \"none\" is missing: the sentence for \"not applicable\"");
  }
  if (rule_.empty == EmptyMeans::kFail) {
    rule_.fails_by = FailsBy::kAbsence;
    rule_.fails_by_given = true;
  }
}

void RuleReader::severity(const YamlNode& node) {
  rule_.severity = static_cast<Severity>(values_.word(node, {"info", "low", "medium", "high", "critical"}));
}

void RuleReader::controls(const YamlNode& node) {
  if (!node.is_map())
    return values_.fail("wrong-type", node, "a map of frameworks to lists of control ids is expected");
  for (const auto& [framework, ids] : node.entries) rule_.controls[framework.scalar] = values_.list(ids);
}

void RuleReader::params(const YamlNode& node) {
  if (!node.is_map()) return values_.fail("wrong-type", node, "a map of parameter names is expected");
  for (const auto& [name, value] : node.entries) param(name, value);
}

void RuleReader::param(const YamlNode& name, const YamlNode& node) {
  Param out;
  out.name = name.scalar;
  out.place = {rule_.place.file, name.place.line, name.place.column};
  const auto* default_value = node.find("default");
  const auto* doc = node.find("doc");
  const auto* allow_empty = node.find("allow_empty");
  for (const auto& [key, value] : node.entries) {
    const std::vector<std::string> known = {"default", "doc", "allow_empty"};
    if (std::find(known.begin(), known.end(), key.scalar) == known.end()) {
      values_.unknown_key(key, known);
    }
  }
  if (default_value == nullptr) values_.fail("missing-key", name, "a parameter has a \"default\"");
  if (doc == nullptr) values_.fail("missing-key", name, "a parameter has a \"doc\"");
  if (default_value != nullptr) out.value = values_.param(*default_value);
  if (doc != nullptr) out.doc = values_.text(*doc);
  if (allow_empty != nullptr) out.allow_empty = values_.boolean(*allow_empty);
  const auto* list = std::get_if<std::vector<std::string>>(&out.value);
  if (list != nullptr && list->empty() && !out.allow_empty) {
    values_.fail("empty-list", *default_value,
                 concat({"an empty list matches nothing and passes everything; say allow_empty: true if \"", out.name,
                         "\" means it"}));
  }
  rule_.params.push_back(std::move(out));
}

void RuleReader::queries(const YamlNode& node) {
  if (!node.is_map() || node.entries.empty())
    return values_.fail("wrong-type", node, "a map of horizons (now, persistent, next_boot) is expected");
  for (const auto& [horizon, value] : node.entries) {
    if (std::find(kHorizons.begin(), kHorizons.end(), horizon.scalar) == kHorizons.end()) {
      values_.fail("unknown-key", horizon,
                   concat({"unknown horizon \"", horizon.scalar, "\"", did_you_mean(horizon.scalar, kHorizons)}));
    }
    add_query(horizon.scalar, value);
  }
}

void RuleReader::add_query(const std::string& horizon, const YamlNode& node) {
  if (!node.is_scalar() || trim(node.scalar).empty())
    return values_.fail("wrong-type", node, "an SQL statement is expected");
  rule_.queries.push_back({horizon, node.scalar, place_of_text(node), {}});
}

// Where the first character of a scalar stands: a literal block begins on the line after its '|'.
SourcePlace RuleReader::place_of_text(const YamlNode& node) const {
  const auto lines = split(text_, '\n');
  const auto line = node.place.line;
  SourcePlace place{rule_.place.file, line, node.place.column};
  const bool literal = line < lines.size() &&
                       lines[line - 1].substr(std::min(lines[line - 1].size(), node.place.column - 1)).starts_with('|');
  if (!literal) return place;
  const auto indentation = lines[line].find_first_not_of(' ');
  return {place.file, line + 1, (indentation == std::string_view::npos ? 0 : indentation) + 1};
}

void RuleReader::fix(const YamlNode& node) {
  if (!node.is_map()) return values_.fail("wrong-type", node, "a map with action, args and risk is expected");
  for (const auto& [key, value] : node.entries) {
    if (key.scalar == "action") {
      rule_.fix.action = values_.text(value);
    } else if (key.scalar == "args") {
      for (const auto& [name, text] : value.entries) rule_.fix.args[name.scalar] = values_.text(text);
    } else if (key.scalar == "risk") {
      rule_.fix.risk = values_.text(value);
    } else {
      values_.unknown_key(key, {"action", "args", "risk"});
    }
  }
}

void RuleReader::references(const YamlNode& node) {
  rule_.references = values_.list(node);
  if (rule_.references.empty()) values_.fail("missing-source", node, "a rule cites at least one source");
  for (const auto& item : node.items) {
    if (!item.scalar.starts_with("https://")) values_.fail("bad-reference", item, "a reference is an https URL");
  }
}

std::vector<std::string> RuleReader::technique_ids(const YamlNode& node, const TechniqueTable& table,
                                                   std::string_view what) {
  auto ids = values_.list(node);
  for (const auto& item : node.items) {
    const auto found = table.find(item.scalar);
    if (found == table.end()) {
      std::vector<std::string> known;
      for (const auto& [id, technique] : table) known.push_back(id);
      values_.fail("unknown-technique", item,
                   concat({what, " knows no technique \"", item.scalar, "\"", did_you_mean(item.scalar, known)}));
    } else if (!found->second.active) {
      const auto& successor = found->second.revoked_by;
      values_.fail("revoked-technique", item,
                   concat({item.scalar, " is no longer active", successor.empty() ? "" : ", use " + successor}));
    }
  }
  return ids;
}

}  // namespace

Rule load_rule(const std::string& id, const std::string& file, std::string_view text, const TechniqueTables& techniques,
               std::vector<Diagnostic>& diagnostics) {
  Rule rule;
  rule.id = id;
  rule.place.file = file;
  FileDiagnostics out(file, text, diagnostics);
  if (const auto root = parse_document(text, out)) RuleReader(rule, text, out, techniques).read(*root);
  return rule;
}

std::string rule_id(std::string_view path) {
  constexpr std::string_view kEnding = ".yaml";
  if (!path.ends_with(kEnding)) return {};
  path.remove_suffix(kEnding.size());
  const auto parts = split(path, '/');
  if (parts.size() != 2) return {};
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  for (const auto part : parts) {
    if (part.empty() || part.find_first_not_of(kLetters) != std::string_view::npos) return {};
  }
  return concat({parts[0], ".", parts[1]});
}

}  // namespace gpuharden
