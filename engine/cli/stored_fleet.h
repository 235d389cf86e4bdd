// SPDX-License-Identifier: GPL-2.0-or-later
// Reports, added one after the other and let go: what they find lies in a temporary file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/model/fleet.h"
#include "engine/native/finding_store.h"

namespace gpuharden {

class StoredFleet final : public Fleet {
 public:
  static Result<StoredFleet> create();

  // Fails only when the temporary file does, or when there are more rules than any rule set has.
  Status add(const Report& report);
  void warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }

  const std::vector<FleetHost>& hosts() const override { return hosts_; }
  const std::vector<FleetRule>& rules() const override { return rules_; }
  const std::vector<std::string>& warnings() const override { return warnings_; }
  Status each_finding(const std::function<void(const FleetFinding&)>& take) const override;

 private:
  explicit StoredFleet(std::unique_ptr<FindingStore> store) : store_(std::move(store)) {}
  Status add_rule(const RuleFinding& finding, std::uint32_t host);

  std::unique_ptr<FindingStore> store_;
  std::vector<FleetHost> hosts_;
  std::vector<FleetRule> rules_;
  std::map<std::string, std::size_t, std::less<>> rule_index_;
  std::vector<std::string> warnings_;
};

}  // namespace gpuharden
