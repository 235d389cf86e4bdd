// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/waiver_loader.h"

#include <functional>
#include <map>

#include "engine/base/date.h"
#include "engine/base/text.h"
#include "engine/rules/rule_loader.h"
#include "engine/rules/trust.h"

namespace gpuharden {
namespace {

class WaiverReader {
 public:
  WaiverReader(const std::string& file, FileDiagnostics& out) : file_(file), values_(out) {}

  std::vector<Waiver> read(const YamlNode& root) {
    std::vector<Waiver> waivers;
    const YamlNode* list = root.is_map() ? root.find("waivers") : nullptr;
    if (list == nullptr || !list->is_sequence()) {
      values_.fail("wrong-type", root, "a list is expected: {waivers: [{rule: …, reason: …, owner: …, expires: …}]}");
      return waivers;
    }
    for (const auto& [key, value] : root.entries) {
      if (key.scalar != "waivers") values_.unknown_key(key, {"waivers"});
    }
    for (const auto& item : list->items) waivers.push_back(waiver(item));
    return waivers;
  }

 private:
  Waiver waiver(const YamlNode& node) {
    Waiver out;
    out.place = {file_, node.place.line, node.place.column};
    if (!node.is_map()) {
      values_.fail("wrong-type", node, "a waiver is a map: rule, reason, owner, expires, …");
      return out;
    }
    const std::map<std::string, std::function<void(const YamlNode&)>, std::less<>> handlers = {
        {"rule", [&](const YamlNode& n) { out.rule = required(n); }},
        {"reason", [&](const YamlNode& n) { out.reason = required(n); }},
        {"owner", [&](const YamlNode& n) { out.owner = required(n); }},
        {"expires", [&](const YamlNode& n) { read_expires(n, out); }},
        {"subject", [&](const YamlNode& n) { out.subject = required(n); }},
        {"file", [&](const YamlNode& n) { out.file = required(n); }},
        {"host", [&](const YamlNode& n) { out.host = required(n); }},
        {"horizon", [&](const YamlNode& n) { read_horizon(n, out); }},
    };
    std::vector<std::string> known;
    for (const auto& [name, handler] : handlers) known.push_back(name);
    for (const auto& [key, value] : node.entries) {
      const auto handler = handlers.find(key.scalar);
      if (handler == handlers.end()) {
        values_.unknown_key(key, known);
      } else {
        handler->second(value);
      }
    }
    for (const auto* name : {"rule", "reason", "owner", "expires"}) {
      if (node.find(name) == nullptr) values_.fail("missing-key", node, concat({"the key \"", name, "\" is missing"}));
    }
    return out;
  }

  // An empty glob would be one that was not given, and cover everything.
  std::string required(const YamlNode& node) {
    std::string text = values_.text(node);
    if (node.is_scalar() && text.empty()) values_.fail("empty", node, "a text is expected, this one is empty");
    return text;
  }

  void read_expires(const YamlNode& node, Waiver& out) {
    const auto day = parse_date(values_.text(node));
    if (!day) return values_.fail("wrong-date", node, "the last day of the waiver is expected: 2027-01-31");
    out.expires = *day;
  }

  void read_horizon(const YamlNode& node, Waiver& out) {
    const std::vector<std::string> horizons = {"now", "persistent", "next_boot"};
    out.horizon = horizons.at(values_.word(node, horizons));
  }

  const std::string& file_;
  ValueReader values_;
};

void add_fault(std::string_view code, const std::string& file, std::string sentence,
               std::vector<Diagnostic>& diagnostics) {
  diagnostics.push_back({std::string(code), std::move(sentence), {file, 1, 1}, {}});
}

void add_file(const std::string& path, const Files& files, std::vector<Diagnostic>& diagnostics,
              std::vector<Waiver>& waivers) {
  const auto file = files.read(path);
  if (!file) return add_fault("unreadable", path, file.error().message, diagnostics);
  if (file->truncated) return add_fault("too-large", path, "the file is larger than 1 MiB", diagnostics);
  for (auto& waiver : load_waivers(path, file->bytes, diagnostics)) waivers.push_back(std::move(waiver));
}

}  // namespace

std::vector<Waiver> load_waivers(const std::string& file, std::string_view text, std::vector<Diagnostic>& diagnostics) {
  FileDiagnostics out(file, text, diagnostics);
  const auto root = parse_document(text, out);
  return root ? WaiverReader(file, out).read(*root) : std::vector<Waiver>();
}

std::vector<Waiver> find_waivers(const std::string& folder, const std::vector<std::string>& named, const Files& files,
                                 std::vector<Diagnostic>& diagnostics) {
  std::vector<Waiver> waivers;
  if (!folder.empty() && files.stat(folder)) {
    check_trust(folder, files, diagnostics);
    std::vector<Error> errors;
    for (const auto& path : expand_glob(files, folder + "/*.yaml", errors)) {
      check_trust(path, files, diagnostics);
      add_file(path, files, diagnostics, waivers);
    }
    for (const auto& error : errors) add_fault("unreadable", folder, error.message, diagnostics);
  }
  for (const auto& path : named) add_file(path, files, diagnostics, waivers);
  return waivers;
}

}  // namespace gpuharden
