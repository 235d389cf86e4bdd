// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/text.h"
#include "engine/rules/rule_loader.h"

namespace gpuharden {

std::optional<YamlNode> parse_document(std::string_view text, FileDiagnostics& out) {
  std::vector<YamlError> errors;
  YamlNode root = parse_yaml(text, errors);
  for (const auto& error : errors) out.add("yaml", error.place.line, error.place.column, error.sentence);
  return errors.empty() ? std::optional(std::move(root)) : std::nullopt;
}

void ValueReader::unknown_key(const YamlNode& key, const std::vector<std::string>& known) {
  fail("unknown-key", key, concat({"unknown key \"", key.scalar, "\"", did_you_mean(key.scalar, known)}));
}

std::string ValueReader::text(const YamlNode& node) {
  if (!node.is_scalar()) fail("wrong-type", node, "a text is expected");
  return std::string(trim(node.scalar));
}

std::vector<std::string> ValueReader::list(const YamlNode& node) {
  std::vector<std::string> out;
  if (!node.is_sequence()) fail("wrong-type", node, "a list is expected");
  for (const auto& item : node.items) out.push_back(text(item));
  return out;
}

// Plain numbers are integers, unless they look like a file mode: those are quoted strings.
ParamValue ValueReader::param(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::kNull) return std::monostate{};
  if (node.is_sequence()) return list(node);
  if (!node.is_scalar()) {
    fail("wrong-type", node, "a text, a number or a list is expected");
    return std::monostate{};
  }
  if (node.quoted) return node.scalar;
  if (node.scalar == "true" || node.scalar == "false") return std::int64_t{node.scalar == "true"};
  const auto number = parse_unsigned(node.scalar);
  if (!number) return node.scalar;
  if (node.scalar.size() > 1 && node.scalar[0] == '0') {
    fail("leading-zero", node, "a number with a leading zero is ambiguous: quote it, and use octal() in the query");
  }
  return static_cast<std::int64_t>(*number);
}

bool ValueReader::boolean(const YamlNode& node) {
  if (node.scalar != "true" && node.scalar != "false") fail("wrong-type", node, "true or false is expected");
  return node.scalar == "true";
}

std::size_t ValueReader::word(const YamlNode& node, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (node.is_scalar() && node.scalar == words[i]) return i;
  }
  fail("unknown-word", node,
       concat({"\"", node.scalar, "\" is none of ", join(words, ", "), did_you_mean(node.scalar, words)}));
  return 0;
}

}  // namespace gpuharden
