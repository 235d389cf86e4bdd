// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/case_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "engine/base/text.h"
#include "engine/native/yaml.h"
#include "engine/rules/rule_loader.h"

namespace gpuharden::test {
namespace fs = std::filesystem;
namespace {

// Only what every case file and every hand-made capture may hold.
class CaseReader {
 public:
  explicit CaseReader(std::string file) : file_(std::move(file)) {}

  std::vector<RuleCase> read(std::string_view text) {
    std::vector<YamlError> errors;
    const YamlNode root = parse_yaml(text, errors);
    for (const auto& error : errors) fail(error.place, error.sentence);
    const YamlNode* cases = root.find("cases");
    if (cases == nullptr || !cases->is_sequence()) fail(root.place, "a list \"cases\" is expected");
    std::vector<RuleCase> out;
    for (const auto& node : cases->items) out.push_back(read_case(node));
    return out;
  }

 private:
  using Handlers = std::map<std::string, std::function<void(const YamlNode&)>, std::less<>>;

  [[noreturn]] void fail(YamlPlace place, std::string_view sentence) const {
    throw std::runtime_error(concat({file_, ":", std::to_string(place.line), ": ", sentence}));
  }

  void each(const YamlNode& map, const Handlers& handlers) const {
    if (!map.is_map()) fail(map.place, "a map is expected");
    for (const auto& [key, value] : map.entries) {
      const auto handler = handlers.find(key.scalar);
      if (handler == handlers.end()) fail(key.place, concat({"unknown key \"", key.scalar, "\""}));
      handler->second(value);
    }
  }

  Outcome outcome(const YamlNode& node) const {
    const auto word = parse_outcome(node.scalar);
    if (!word) fail(node.place, concat({"\"", node.scalar, "\" is no outcome"}));
    return *word;
  }

  std::map<std::string, std::string> texts(const YamlNode& node) const {
    std::map<std::string, std::string> out;
    for (const auto& [key, value] : node.entries) out[key.scalar] = value.scalar;
    return out;
  }

  std::map<std::string, ParamValue> params(const YamlNode& node) const {
    std::vector<Diagnostic> diagnostics;
    FileDiagnostics sink(file_, "", diagnostics);
    ValueReader values(sink);
    std::map<std::string, ParamValue> out;
    for (const auto& [key, value] : node.entries) out[key.scalar] = values.param(value);
    if (!diagnostics.empty()) fail(node.place, diagnostics.front().sentence);
    return out;
  }

  ExpectedRow read_row(const YamlNode& node) const {
    ExpectedRow row;
    each(node, {{"subject", [&](const YamlNode& n) { row.subject = n.scalar; }},
                {"outcome", [&](const YamlNode& n) { row.outcome = to_string(outcome(n)); }},
                {"file", [&](const YamlNode& n) { row.file = n.scalar; }},
                {"message", [&](const YamlNode& n) { row.message = n.scalar; }},
                {"detail", [&](const YamlNode& n) { row.detail = n.scalar; }},
                {"line", [&](const YamlNode& n) {
                   row.line = static_cast<std::int64_t>(parse_unsigned(n.scalar).value_or(0));
                 }}});
    return row;
  }

  RuleCase read_case(const YamlNode& node) const {
    RuleCase out;
    out.rule = fs::path(file_).stem().string();
    bool has_expectation = false;
    each(node, {{"name", [&](const YamlNode& n) { out.name = n.scalar; }},
                {"expect", [&](const YamlNode& n) { out.expect = outcome(n), has_expectation = true; }},
                {"kind", [&](const YamlNode& n) { out.is_image = n.scalar == "image"; }},
                {"files", [&](const YamlNode& n) { out.files = texts(n); }},
                {"links", [&](const YamlNode& n) { out.links = texts(n); }},
                {"folders",
                 [&](const YamlNode& n) {
                   for (const auto& item : n.items) out.folders.push_back(item.scalar);
                 }},
                {"tree", [&](const YamlNode& n) { out.tree = n.scalar; }},
                {"yaml", [&](const YamlNode& n) { out.yaml = n.scalar; }},
                {"set", [&](const YamlNode& n) { out.set = params(n); }},
                {"horizons",
                 [&](const YamlNode& n) {
                   for (const auto& [key, value] : n.entries) out.horizons[key.scalar] = outcome(value);
                 }},
                {"rows",
                 [&](const YamlNode& n) {
                   for (const auto& item : n.items) out.rows.push_back(read_row(item));
                 }},
                {"gap", [&](const YamlNode& n) { out.gap = n.scalar; }},
                {"source", [&](const YamlNode& n) { out.source = n.scalar; }}});
    if (out.name.empty() || !has_expectation) fail(node.place, "a case has a name and an expect");
    return out;
  }

  std::string file_;
};

}  // namespace

std::unique_ptr<Capture> RuleCase::make_host() const {
  auto capture = std::make_unique<Capture>();
  if (!tree.empty()) capture->tree(tree);
  // An audited root is never empty.
  capture->folder("/etc");
  for (const auto& folder : folders) capture->folder(folder);
  for (const auto& [path, bytes] : files) capture->file(path, bytes);
  for (const auto& [path, target] : links) capture->link(path, target);
  if (is_image && files.empty() && tree.empty()) capture->file("/etc/hostname", "image\n");
  capture->yaml(yaml);
  capture->save();
  return capture;
}

std::unique_ptr<Host> RuleCase::open(const Capture& capture) const {
  return is_image ? capture.open_image() : capture.open();
}

std::vector<RuleCase> parse_cases(const std::string& file, std::string_view text) {
  return CaseReader(file).read(text);
}

const std::vector<RuleCase>& all_cases() {
  static const std::vector<RuleCase> cases = [] {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(source_path("tests/cases"))) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    std::vector<RuleCase> all;
    for (const auto& file : files) {
      for (auto& each : parse_cases(file, read_source("tests/cases/" + fs::path(file).filename().string())))
        all.push_back(std::move(each));
    }
    return all;
  }();
  return cases;
}

const Catalog& shipped_catalog() {
  static const Catalog catalog = [] {
    auto files = open_own_files();
    if (!files) throw std::runtime_error(files.error().message);
    CatalogPlaces places;
    places.rules = source_path("rules");
    places.policies = source_path("policies");
    std::vector<Diagnostic> diagnostics;
    std::vector<CompiledSource> sources;
    Catalog out = parse_catalog(places, **files, diagnostics, sources);
    std::string all;
    for (const auto& diagnostic : diagnostics) all += format(diagnostic) + "\n";
    if (!all.empty()) throw std::runtime_error(all);
    return out;
  }();
  return catalog;
}

Rule rule_of(const RuleCase& rule_case) {
  const auto& rules = shipped_catalog().rules;
  const auto found =
      std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.id == rule_case.rule; });
  if (found == rules.end()) throw std::runtime_error("there is no rule " + rule_case.rule);
  Rule rule = *found;
  for (const auto& [name, value] : rule_case.set) {
    const auto param =
        std::find_if(rule.params.begin(), rule.params.end(), [&](const Param& p) { return p.name == name; });
    if (param == rule.params.end()) throw std::runtime_error(rule.id + " has no parameter " + name);
    param->value = value;
  }
  return rule;
}

}  // namespace gpuharden::test
