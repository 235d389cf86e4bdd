// SPDX-License-Identifier: GPL-2.0-or-later
// Many reports as one: each finding once, with the hosts that have it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/model/report.h"

namespace gpuharden {

// What is kept of each host: its summary, so memory grows by some three kilobytes a host.
struct FleetHost {
  HostSummary host;
  std::string profile, tool_version, rules_digest;
  std::int64_t started = 0;
  int exit_code = 1;
  std::map<Outcome, std::int64_t> outcomes;  // rules by outcome
  std::map<Severity, std::int64_t> failed;   // failing rules by severity
};

// A rule with the hosts by outcome; its horizons are left out.
struct FleetRule {
  RuleFinding finding;  // as the first report had it, with the worst outcome of any
  std::map<Outcome, std::int64_t> hosts;
};

// One finding of one rule. A finding that differs in words between hosts has those of the host where it is worst.
struct FleetFinding {
  std::size_t rule = 0;  // index into rules()
  std::string horizon;
  std::string identity;
  std::string message;
  bool has_row = false;
  RowFinding row;
  std::optional<AppliedWaiver> waiver;  // of what no row stands for; a row has its own
  Outcome outcome = Outcome::kFail;     // the worst of any host
  std::int64_t count = 1;
  std::map<Outcome, std::vector<std::uint32_t>> hosts;  // indices into hosts(), rising
};

class Fleet {
 public:
  virtual ~Fleet() = default;
  virtual const std::vector<FleetHost>& hosts() const = 0;
  virtual const std::vector<FleetRule>& rules() const = 0;  // as they came
  // Files that could not be read, as sentences.
  virtual const std::vector<std::string>& warnings() const = 0;
  // Each finding, worst first, then what most hosts have, then by rule and identity. One is in memory at a time.
  virtual Status each_finding(const std::function<void(const FleetFinding&)>& take) const = 0;
};

}  // namespace gpuharden
