// SPDX-License-Identifier: GPL-2.0-or-later
// The one report model, gpuharden.report/1. Writers are pure functions of it. It only ever grows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/outcome.h"
#include "engine/model/rule.h"
#include "engine/model/table.h"
#include "engine/model/waiver.h"

namespace gpuharden {

// An evidence cell as writers show it: secrets are digests by now.
struct Evidence {
  std::string name;
  ValueKind kind = ValueKind::kNull;
  std::int64_t integer = 0;
  std::string text;
};

// How a finding stands to the report that was given as the baseline.
enum class BaselineState : std::uint8_t { kNone, kNew, kSame };

struct RowFinding {
  std::string subject;
  Outcome outcome = Outcome::kUnknown;
  std::string message;
  std::string detail;
  std::string file;  // inside the audited root; empty when there is none
  std::int64_t line = 0;
  std::vector<Evidence> evidence;
  std::string fingerprint;  // hexadecimal
  std::optional<AppliedWaiver> waiver = std::nullopt;
  BaselineState baseline = BaselineState::kNone;
};

struct HorizonFinding {
  std::string name;
  Outcome outcome = Outcome::kUnknown;
  std::string reason;            // why the rows alone do not say it: a gap, an error, "no row"
  std::vector<RowFinding> rows;  // failing, unknown and erroneous ones, at most kMaxRows
  std::map<Outcome, std::int64_t> counts;
  std::vector<Gap> gaps;  // that count, at most kMaxRows
  // Covers what no row stands for: rows that are not stored, a fail without rows, what could not be read.
  std::optional<AppliedWaiver> waiver = std::nullopt;
  BaselineState baseline = BaselineState::kNone;  // of what no row stands for
  bool cut_off = false;                           // the statement did not come to its end: there may be more rows
};

struct AttackReference {
  std::string id, name;
  std::vector<std::string> tactics;
};

struct RuleFinding {
  Rule rule;  // with the policy's severity and parameters
  std::vector<AttackReference> attack;
  Outcome outcome = Outcome::kUnknown;
  bool required = false;
  std::vector<HorizonFinding> horizons;
};

struct HostSummary {
  std::string name, kind, os, kernel, machine, boot_id;
  std::vector<std::string> gpus;
  bool privileged = false;
};

struct Report {
  std::string tool_version;
  std::string rules_digest;
  std::string rules_trust;  // "shipped", "build-tree", "overridden", "option"
  std::vector<std::string> warnings;
  HostSummary host;
  std::string profile;
  std::int64_t started = 0;  // seconds since the epoch
  std::int64_t duration_us = 0;
  std::vector<RuleFinding> rules;         // worst first
  std::vector<WaiverUse> waivers;         // all that were given, with what became of them
  std::vector<std::string> not_selected;  // rules on deep tables that were not asked for
  Severity gate = Severity::kMedium;
  int exit_code = 1;

  static constexpr std::size_t kMaxRows = 1000;
};

}  // namespace gpuharden
