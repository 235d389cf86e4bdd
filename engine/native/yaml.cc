// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxNodes = 200000;

YamlPlace place_of(const YAML::Mark& mark) {
  if (mark.is_null()) return {};
  return {static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

// Builds the tree from parser events. A key waits in its map's frame until its value comes.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::vector<YamlError>& errors) : errors_(errors) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add({YamlNode::Kind::kNull, place_of(mark), {}, {}, {}, {}});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    errors_.push_back({place_of(mark), "aliases are not supported"});
    add({});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
    YamlNode node{YamlNode::Kind::kScalar, place_of(mark), value, tag == "!", {}, {}};
    const bool is_null = !node.quoted && (value == "~" || value == "null" || value.empty());
    if (is_null) node.kind = YamlNode::Kind::kNull;
    add(std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kSequence, mark);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::kMap, mark);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    YamlNode node;
    YamlNode key;
    bool has_key = false;
    std::unordered_set<std::string> keys;  // a captured machine may name tens of thousands of paths
  };

  void open(YamlNode::Kind kind, const YAML::Mark& mark) {
    if (frames_.size() >= kMaxDepth) throw YAML::ParserException(mark, "nested too deeply");
    Frame frame;
    frame.node.kind = kind;
    frame.node.place = place_of(mark);
    frames_.push_back(std::move(frame));
  }

  void close() {
    YamlNode node = std::move(frames_.back().node);
    frames_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (++count_ > kMaxNodes) throw YAML::ParserException(YAML::Mark::null_mark(), "too many nodes");
    if (frames_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.kind == YamlNode::Kind::kSequence) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.has_key) {
      take_key(frame, std::move(node));
    } else {
      frame.node.entries.push_back({std::move(frame.key), std::move(node)});
      frame.has_key = false;
    }
  }

  void take_key(Frame& frame, YamlNode key) {
    if (key.kind != YamlNode::Kind::kScalar) errors_.push_back({key.place, "a key must be a plain word"});
    if (!frame.keys.insert(key.scalar).second) {
      errors_.push_back({key.place, concat({"key \"", key.scalar, "\" is given twice"})});
    }
    frame.key = std::move(key);
    frame.has_key = true;
  }

  std::vector<YamlError>& errors_;
  std::vector<Frame> frames_;
  YamlNode root_;
  std::size_t count_ = 0;
};

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first.scalar == key; });
  return found == entries.end() ? nullptr : &found->second;
}

YamlNode parse_yaml(std::string_view text, std::vector<YamlError>& errors) {
  TreeBuilder builder(errors);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    TreeBuilder second(errors);
    if (parser.HandleNextDocument(second)) errors.push_back({{}, "more than one document in one file"});
  } catch (const YAML::Exception& exception) {
    errors.push_back({place_of(exception.mark), exception.msg});
  }
  return builder.take_root();
}

}  // namespace gpuharden
