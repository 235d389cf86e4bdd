// SPDX-License-Identifier: GPL-2.0-or-later
// YAML of rules, policies, waivers and captures. Depth, nodes and keys of the tree stay bounded.
#include "engine/native/yaml.h"

#include <set>

#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

void check_tree(const YamlNode& node, std::size_t depth) {
  require(depth <= 40);
  require(node.is_sequence() || node.items.empty());
  require(node.is_map() || node.entries.empty());
  for (const auto& item : node.items) check_tree(item, depth + 1);
  std::set<std::string_view> keys;
  for (const auto& [key, value] : node.entries) {
    require(keys.insert(key.scalar).second);
    require(node.find(key.scalar) == &value);
    check_tree(value, depth + 1);
  }
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<gpuharden::YamlError> errors;
  const auto root = gpuharden::parse_yaml(gpuharden::test::text_of(data, size), errors);
  if (errors.empty()) gpuharden::test::check_tree(root, 0);
  return 0;
}
