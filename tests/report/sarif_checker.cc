// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/report/sarif_checker.h"

#include <regex>
#include <set>
#include <stdexcept>

namespace gpuharden::test {
namespace {

using Json = nlohmann::json;
using Pointer = Json::json_pointer;

class Checker {
 public:
  std::vector<std::string> check(const Json& log) {
    if (text(log, "/$schema").empty()) fault("no $schema");
    if (text(log, "/version") != "2.1.0") fault("version is not 2.1.0");
    if (log.dump().size() > 100U << 20U) fault("larger than any upload");
    const Json runs = log.value("runs", Json::array());
    if (runs.empty() || runs.size() > 20) fault("1 to 20 runs are taken");
    for (const auto& run : runs) check_run(run);
    return faults_;
  }

 private:
  void fault(std::string sentence) { faults_.push_back(std::move(sentence)); }

  static std::string text(const Json& value, const std::string& pointer) {
    const Pointer at(pointer);
    return value.contains(at) && value[at].is_string() ? value[at].get<std::string>() : std::string();
  }
  static std::int64_t number(const Json& value, const std::string& pointer) {
    const Pointer at(pointer);
    return value.contains(at) && value[at].is_number_integer() ? value[at].get<std::int64_t>() : 0;
  }

  void check_run(const Json& run) {
    const std::string category = text(run, "/automationDetails/id");
    if (category.empty()) fault("no automationDetails.id");
    if (!categories_.insert(category.substr(0, category.rfind('/'))).second)
      fault("two runs of one category: " + category);
    if (text(run, "/tool/driver/name").empty()) fault("no tool.driver.name");
    const Json rules = run.value(Pointer("/tool/driver/rules"), Json::array());
    if (rules.size() > 25'000) fault("more than 25,000 rules");
    std::vector<std::string> ids;
    for (const auto& rule : rules) {
      check_rule(rule);
      ids.push_back(text(rule, "/id"));
    }
    if (std::set<std::string>(ids.begin(), ids.end()).size() != ids.size()) fault("a rule id twice");
    const Json results = run.value("results", Json::array());
    if (results.size() > 25'000) fault("more than 25,000 results");
    fingerprints_.clear();
    for (const auto& result : results) check_result(result, ids, run);
    check_relations(run);
  }

  void check_rule(const Json& rule) {
    const std::string id = text(rule, "/id");
    if (id.empty() || id.size() > 255) fault("a rule id is empty or over 255 bytes");
    for (const auto* key : {"/shortDescription/text", "/fullDescription/text", "/help/text"}) {
      if (text(rule, key).empty()) fault(id + ": no " + key);
    }
    for (const auto* key : {"/shortDescription/text", "/fullDescription/text"}) {
      if (text(rule, key).size() > 1024) fault(id + ": over 1024: " + key);
    }
    static const std::regex level("error|warning|note");
    if (!std::regex_match(text(rule, "/defaultConfiguration/level"), level)) fault(id + ": no default level");
    static const std::regex severity(R"((10\.0|[0-9]\.[0-9]))");
    const std::string number = text(rule, "/properties/security-severity");
    if (!std::regex_match(number, severity) || number == "0.0")
      fault(id + ": security-severity is no string of a number over 0.0 and up to 10.0");
    const Json tags = rule.value(Pointer("/properties/tags"), Json::array());
    if (tags.size() > 20) fault(id + ": more than 20 tags");
    bool has_security = false;
    for (const auto& tag : tags) has_security = has_security || tag == "security";
    if (!has_security) fault(id + ": no tag security");
    if (text(rule, "/properties/precision").empty()) fault(id + ": no precision");
  }

  void check_result(const Json& result, const std::vector<std::string>& ids, const Json& run) {
    const std::string id = text(result, "/ruleId");
    const auto index = result.value("ruleIndex", std::int64_t{-1});
    if (id.empty() || index < 0 || index >= static_cast<std::int64_t>(ids.size()) ||
        ids[static_cast<std::size_t>(index)] != id)
      fault(id + ": ruleIndex " + std::to_string(index) + " is not its rule");
    if (text(result, "/message/text").empty()) fault(id + ": a result without a message");
    check_level(result, id);
    const Json locations = result.value("locations", Json::array());
    if (locations.empty() || locations.size() > 1000) fault(id + ": 1 to 1,000 locations are taken");
    for (const auto& location : locations) check_location(location, id, run);
    const std::string fingerprint = text(result, "/partialFingerprints/primaryLocationLineHash");
    static const std::regex form("[0-9a-f]{16,}:[0-9]+");
    if (!std::regex_match(fingerprint, form)) fault(id + ": no primaryLocationLineHash");
    if (!fingerprints_.insert(id + fingerprint).second) fault(id + ": two results of one fingerprint");
  }

  void check_level(const Json& result, const std::string& id) {
    static const std::regex kinds("fail|pass|open|notApplicable");
    const std::string kind = text(result, "/kind");
    const std::string level = text(result, "/level");
    if (!std::regex_match(kind, kinds)) fault(id + ": kind is not written down");
    if (level.empty()) fault(id + ": level is not written down");
    if (!kind.empty() && (kind == "fail") != (level != "none")) fault(id + ": level " + level + " of kind " + kind);
    const std::string outcome = text(result, "/properties/outcome");
    if (kind == "pass" && outcome != "pass") fault(id + ": " + outcome + " looks like a pass");
  }

  void check_location(const Json& location, const std::string& id, const Json& run) {
    const std::string uri = text(location, "/physicalLocation/artifactLocation/uri");
    // A relative reference of RFC 3986: no scheme, no leading slash, nothing that must be encoded.
    static const std::regex form(
        R"((%[0-9A-F]{2}|[A-Za-z0-9._~!$&'()*+,;=@-])(%[0-9A-F]{2}|[A-Za-z0-9._~!$&'()*+,;=@/-])*)");
    if (!std::regex_match(uri, form)) fault(id + ": \"" + uri + "\" is no relative reference");
    const std::string base = text(location, "/physicalLocation/artifactLocation/uriBaseId");
    if (!base.empty() && text(run, "/originalUriBaseIds/" + base + "/uri").empty()) fault(id + ": no base " + base);
    const auto start = number(location, "/physicalLocation/region/startLine");
    for (const auto* key : {"startLine", "startColumn", "endLine", "endColumn"}) {
      if (number(location, std::string("/physicalLocation/region/") + key) < 1) fault(id + ": no " + key);
    }
    if (number(location, "/physicalLocation/region/endLine") < start)
      fault(id + ": a region that ends before it begins");
  }

  // Relationships of rules lead to taxa that are there.
  void check_relations(const Json& run) {
    std::set<std::pair<std::string, std::string>> taxa;
    for (const auto& taxonomy : run.value("taxonomies", Json::array())) {
      for (const auto& taxon : taxonomy.value("taxa", Json::array()))
        taxa.insert({text(taxonomy, "/name"), text(taxon, "/id")});
    }
    for (const auto& rule : run.value(Pointer("/tool/driver/rules"), Json::array())) {
      for (const auto& relation : rule.value("relationships", Json::array())) {
        if (!taxa.contains({text(relation, "/target/toolComponent/name"), text(relation, "/target/id")}))
          fault(text(rule, "/id") + ": a relationship to nothing");
      }
    }
  }

  std::vector<std::string> faults_;
  std::set<std::string> categories_;
  std::set<std::string> fingerprints_;
};

}  // namespace

std::vector<std::string> ingestion_faults(const Json& log) { return Checker().check(log); }

Json sarif_of(const Report& report, const WriterOptions& options) { return Json::parse(write_sarif(report, options)); }

Json result_of(const Json& log, const std::string& rule) {
  for (const auto& result : log["runs"][0]["results"]) {
    if (result["ruleId"] == rule && result["kind"] == "fail") return result;
  }
  throw std::runtime_error("no result of " + rule);
}

}  // namespace gpuharden::test
