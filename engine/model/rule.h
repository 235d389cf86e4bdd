// SPDX-License-Identifier: GPL-2.0-or-later
// A rule as it is written: one query that maps facts to a verdict. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/outcome.h"

namespace gpuharden {

// Where something stands in a YAML file; line and column from 1.
struct SourcePlace {
  std::string file;
  std::size_t line = 1;
  std::size_t column = 1;
  bool operator==(const SourcePlace&) const = default;
};

// A parameter's value; a list is bound as JSON text for json_each().
using ParamValue = std::variant<std::monostate, std::int64_t, std::string, std::vector<std::string>>;

struct Param {
  std::string name;
  ParamValue value;
  std::string doc;
  bool allow_empty = false;
  SourcePlace place;
};

struct Query {
  std::string horizon;  // "now" for a plain `query`; else now, persistent or next_boot
  std::string sql;
  SourcePlace place;                                       // of the first character of `sql`
  std::vector<std::pair<std::string, std::string>> reads;  // (table, column), when it was compiled
};

// What no row means.
enum class EmptyMeans { kNotApplicable, kFail, kPass };
// What a fail rests on: something seen, or something not seen.
enum class FailsBy { kPresence, kAbsence };

struct Fix {
  std::string action;
  std::map<std::string, std::string> args;
  std::string risk = "none";
};

struct Rule {
  std::string id;  // path below rules/, with a dot: apt.signed-by
  std::string title;
  Severity severity = Severity::kMedium;
  Maturity maturity = Maturity::kExperimental;
  std::vector<std::string> attack;
  std::vector<std::string> atlas;
  std::map<std::string, std::vector<std::string>> controls;
  std::vector<std::string> tags;
  std::string why;
  std::vector<Param> params;
  std::vector<Query> queries;
  std::string message;
  std::string none;
  EmptyMeans empty = EmptyMeans::kNotApplicable;
  FailsBy fails_by = FailsBy::kPresence;
  bool fails_by_given = false;   // written down, or implied by `empty: fail`
  std::vector<std::string> key;  // evidence columns that tell findings of one subject apart
  Fix fix;                       // action empty: none
  std::string manual;
  std::vector<std::string> references;
  SourcePlace place;
  bool overrides_shipped = false;
};

struct Policy {
  std::string name;
  std::string title;
  std::string extends;
  std::vector<std::string> select;   // globs over ids, "tag:x", "severity:high", "maturity:stable"; "!…" drops
  std::vector<std::string> require;  // globs; there "not applicable" counts as fail
  std::map<std::string, std::map<std::string, ParamValue>> params;  // rule glob -> parameter -> value
  std::map<std::string, Severity> severities;                       // rule glob -> severity
  std::map<std::string, ParamValue> expect;                         // sets every parameter expect_<key>
  std::optional<std::int64_t> floors_max_age;                       // days; older floors make no pass
  bool deep = false;
  std::vector<std::string> accept;  // risks that apply may take: restart, reboot
  SourcePlace place;
};

}  // namespace gpuharden
