// SPDX-License-Identifier: GPL-2.0-or-later
// YAML documents as a tree with places, by yaml-cpp. Aliases, duplicate keys and deep or huge
// documents are refused, so that the tree is as large as its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct YamlPlace {
  std::size_t line = 1;    // from 1
  std::size_t column = 1;  // from 1, in bytes
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { kNull, kScalar, kSequence, kMap };
  Kind kind = Kind::kNull;
  YamlPlace place;
  std::string scalar;
  bool quoted = false;             // written with quotes or as a block: a string, whatever it looks like
  std::vector<YamlNode> items;     // of a sequence
  std::vector<YamlEntry> entries;  // of a map, in file order; keys are scalars

  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_sequence() const { return kind == Kind::kSequence; }
  // The value of a map's key, or nullptr.
  const YamlNode* find(std::string_view key) const;
};

// A key and its value. No std::pair: clang 14 cannot hold one of a type that is not complete yet.
struct YamlEntry {
  YamlNode first;
  YamlNode second;
};

struct YamlError {
  YamlPlace place;
  std::string sentence;
};

// The single document of `text`; an empty text is a null node. On failure every fault that can be
// told is in `errors` and the node must not be used.
YamlNode parse_yaml(std::string_view text, std::vector<YamlError>& errors);

}  // namespace gpuharden
