// SPDX-License-Identifier: GPL-2.0-or-later
// The draft that a plan is made of.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/apply/action.h"
#include "engine/apply/step.h"

namespace gpuharden {

class PlanDraft final : public Draft {
 public:
  // All outlive the draft.
  PlanDraft(const Host& host, TreeWriter& tree, KernelControl& kernel) : host_(host), tree_(tree), kernel_(kernel) {}

  // Everything until end() belongs to this rule; end(false) forgets it.
  void begin(const std::string& rule);
  void end(bool keep);
  // Of the request that is open or was the last.
  const std::set<Risk>& risks() const { return risks_; }
  const std::vector<std::string>& reasons() const { return reasons_; }
  const std::vector<std::string>& waits() const { return waits_; }

  // Sorted as the executor wants them. What ended up as it was is left out.
  std::vector<Step> steps() const;

  const Host& host() const override { return host_; }
  SharedFacts& shared() override { return shared_; }
  Result<FileState> state(std::string_view path) override;
  Status put(std::string_view path, FileState wanted, bool is_shared) override;
  std::vector<std::string> gather(const std::string& list, const std::string& item) override;
  Status remove_member(const std::string& group, const std::string& user) override;
  Status set_sysctl(const std::string& name, const std::string& value) override;
  Status load_audit_rules(const std::vector<std::string>& rules) override;
  Status load_table(const std::string& text) override;
  void reload_units() override;
  void start_unit(const std::string& unit) override;
  Status restart_unit(const std::string& unit) override;
  void risk(Risk risk, const std::string& why) override;
  void pending(const std::string& what) override;

 private:
  struct PlannedFile {
    FileState before, after;
    bool is_shared = false;
    std::set<std::string> rules;
  };
  struct Planned {
    std::map<std::string, PlannedFile> files;  // by real path
    std::map<std::string, Step> others;        // by what they are about
    std::map<std::string, std::vector<std::string>> lists;
  };
  bool waits_for_boot();
  Status make_folders(const std::string& path);
  Status put_at(const std::string& path, FileState wanted, bool is_shared);
  void add(const std::string& about, StepBody body);

  const Host& host_;
  TreeWriter& tree_;
  KernelControl& kernel_;
  SharedFacts shared_;
  std::string rule_;
  Planned planned_, before_request_;
  std::set<Risk> risks_;
  std::vector<std::string> reasons_, waits_;
  std::optional<Result<std::vector<std::string>>> reload_victims_;  // asked once
};

}  // namespace gpuharden
