// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/floor_loader.h"

#include <algorithm>
#include <functional>
#include <map>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/rules/rule_loader.h"

namespace gpuharden {
namespace {

constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
constexpr std::string_view kDigits = "0123456789";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

// CVE-2026-24187; also the ids of lists that name what has no CVE.
bool is_advisory_id(std::string_view text) {
  const auto parts = split(text, '-');
  if (parts[0] == "GHSA") return parts.size() == 4;
  if (parts[0] != "CVE" && parts[0] != "PYSEC" && parts[0] != "GO") return false;
  return parts.size() == 3 && parts[1].size() == 4 && is_digits(parts[1]) && is_digits(parts[2]);
}

class FloorReader {
 public:
  FloorReader(FloorFile& file, FileDiagnostics& out) : file_(file), values_(out) {}

  void read(const YamlNode& root) {
    if (!root.is_map()) return values_.fail("wrong-type", root, "a file of floors is a map: title, scheme, as_of, …");
    const YamlNode* floors = nullptr;
    each(root, {{"title", [&](const YamlNode& n) { file_.title = values_.text(n); }},
                {"scheme", [&](const YamlNode& n) { read_scheme(n); }},
                {"as_of", [&](const YamlNode& n) { file_.as_of = date(n); }},
                {"floors", [&](const YamlNode& n) { floors = &n; }}});
    for (const auto* key : {"title", "scheme", "as_of", "floors"}) require(root, key);
    if (floors == nullptr) return;
    if (!floors->is_sequence() || floors->items.empty())
      return values_.fail("no-floors", *floors, "a list of at least one floor is expected");
    for (const auto& node : floors->items) read_floor(node);
  }

 private:
  using Handlers = std::map<std::string, std::function<void(const YamlNode&)>, std::less<>>;

  void each(const YamlNode& map, const Handlers& handlers) {
    std::vector<std::string> known;
    for (const auto& [name, handler] : handlers) known.push_back(name);
    for (const auto& entry : map.entries) {
      const auto handler = handlers.find(entry.first.scalar);
      handler == handlers.end() ? values_.unknown_key(entry.first, known) : handler->second(entry.second);
    }
  }

  void require(const YamlNode& map, std::string_view key) {
    if (map.find(key) == nullptr) values_.fail("missing-key", map, concat({"the key \"", key, "\" is missing"}));
  }

  void read_scheme(const YamlNode& node) {
    const std::vector<std::string> words = {"dpkg", "dotted", "semver", "pep440"};
    file_.scheme = words[values_.word(node, words)];
  }

  std::string date(const YamlNode& node) {
    const auto text = values_.text(node);
    if (!parse_date(text)) values_.fail("bad-date", node, "a day is expected: 2026-08-18");
    return text;
  }

  std::string last_day(const YamlNode& node) {
    const auto days = parse_last_day(values_.text(node));
    if (!days) values_.fail("bad-date", node, "a day or a month is expected: 2026-06-30 or 2026-06");
    return days ? format_date(*days) : std::string();
  }

  std::vector<std::string> ids(const YamlNode& node) {
    auto list = values_.list(node);
    for (const auto& item : node.items) {
      if (!is_advisory_id(item.scalar)) values_.fail("bad-cve", item, concat({"\"", item.scalar, "\" is no CVE"}));
    }
    return list;
  }

  std::string url(const YamlNode& node) {
    auto text = values_.text(node);
    if (!text.starts_with("https://")) values_.fail("bad-reference", node, "a source is an https URL");
    return text;
  }

  void read_floor(const YamlNode& node) {
    if (!node.is_map()) return values_.fail("wrong-type", node, "a floor is a map: branch, fixed, advisory, …");
    Floor floor;
    std::vector<std::string> devices = {""};
    const std::vector<std::string> statuses = {"maintained", "superseded", "ended", "preview"};
    std::vector<std::string> branches;
    each(node,
         {{"branch", [&](const YamlNode& n) { branches.push_back(values_.text(n)); }},
          {"branches", [&](const YamlNode& n) { branches = values_.list(n); }},
          {"distribution", [&](const YamlNode& n) { floor.distribution = values_.text(n); }},
          {"devices", [&](const YamlNode& n) { devices = values_.list(n); }},
          {"status", [&](const YamlNode& n) { floor.status = static_cast<FloorStatus>(values_.word(n, statuses)); }},
          {"fixed", [&](const YamlNode& n) { floor.fixed = values_.text(n); }},
          {"affected_to", [&](const YamlNode& n) { floor.affected_to = values_.text(n); }},
          {"eol", [&](const YamlNode& n) { floor.eol = last_day(n); }},
          {"advisory", [&](const YamlNode& n) { floor.advisory = values_.text(n); }},
          {"published", [&](const YamlNode& n) { floor.published = date(n); }},
          {"cves", [&](const YamlNode& n) { floor.cves = ids(n); }},
          {"open_cves", [&](const YamlNode& n) { floor.open_cves = ids(n); }},
          {"source", [&](const YamlNode& n) { floor.source = url(n); }}});
    for (const auto* key : {"advisory", "source"}) require(node, key);
    floor.scheme = floor.distribution.empty() ? file_.scheme : "dpkg";
    if (node.find("branch") == nullptr && node.find("branches") == nullptr) branches = {""};
    add(node, std::move(floor), branches, devices);
  }

  // A floor for each branch and device of its sets.
  void add(const YamlNode& node, Floor floor, const std::vector<std::string>& branches,
           const std::vector<std::string>& devices) {
    if (branches.empty() || devices.empty()) values_.fail("wrong-type", node, "an empty list holds nothing");
    for (const auto& branch : branches) {
      floor.branch = branch;
      check(node, floor);
      for (const auto& device : devices) {
        floor.device = device;
        check_unique(node, floor);
        file_.floors.push_back(floor);
      }
    }
  }

  void check(const YamlNode& node, const Floor& floor) {
    const bool says_nothing = floor.fixed.empty() && floor.affected_to.empty() && node.find("status") == nullptr;
    if (says_nothing) values_.fail("missing-key", node, "a floor says one of \"fixed\", \"affected_to\", \"status\"");
    if (!floor.fixed.empty() && !floor.affected_to.empty())
      values_.fail("wrong-type", node, "\"affected_to\" is for what has no fixed version");
    for (const auto* key : {"fixed", "affected_to"}) check_version(node.find(key), floor);
    const auto published = parse_date(floor.published);
    const auto as_of = parse_date(file_.as_of);
    if (published && as_of && *published > *as_of)
      values_.fail("bad-date", node, concat({"\"as_of\" is before ", floor.published, ", when this was published"}));
  }

  void check_version(const YamlNode* node, const Floor& floor) {
    const auto scheme = parse_version_scheme(floor.scheme);
    if (node == nullptr || !scheme) return;
    const std::string text(trim(node->scalar));
    if (!compare_versions(*scheme, text, text))
      return values_.fail("bad-version", *node, concat({"\"", text, "\" is no ", floor.scheme, " version"}));
    const std::string number = *scheme == VersionScheme::kDpkg ? upstream_version(text) : text;
    if (is_in_branch(number, floor.branch)) return;
    values_.fail("other-branch", *node, concat({text, " is no version of branch \"", floor.branch, "\""}));
  }

  // A version must not find two floors: which of them counts would be chance.
  void check_unique(const YamlNode& node, const Floor& floor) {
    for (const auto& other : file_.floors) {
      if (other.distribution != floor.distribution || other.device != floor.device) continue;
      if (!is_in_branch(other.branch, floor.branch) && !is_in_branch(floor.branch, other.branch)) continue;
      values_.fail("overlapping-floors", node,
                   concat({"branch \"", floor.branch, "\" holds the same versions as \"", other.branch, "\""}));
      return;
    }
  }

  FloorFile& file_;
  ValueReader values_;
};

}  // namespace

FloorFile load_floors(const std::string& component, const std::string& file, std::string_view text,
                      std::vector<Diagnostic>& diagnostics) {
  FloorFile out;
  out.component = component;
  out.place.file = file;
  FileDiagnostics complaints(file, text, diagnostics);
  if (const auto root = parse_document(text, complaints)) FloorReader(out, complaints).read(*root);
  return out;
}

std::string floor_component(std::string_view file_name) {
  constexpr std::string_view kEnding = ".yaml";
  if (!file_name.ends_with(kEnding)) return {};
  file_name.remove_suffix(kEnding.size());
  const bool good = !file_name.empty() && file_name.find_first_not_of(kNameLetters) == std::string_view::npos;
  return good ? std::string(file_name) : std::string();
}

}  // namespace gpuharden
