// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel of a tree of files: there is none.
#include "engine/host/kernel_control.h"

namespace gpuharden {
namespace {

class AbsentKernel final : public KernelControl {
 public:
  Status is_held() const override { return none(); }
  std::string boot_id() const override { return {}; }
  Result<std::string> sysctl(const std::string&) override { return none(); }
  Status set_sysctl(const std::string&, const std::string&) override { return none(); }
  Result<std::vector<std::string>> audit_rules() override { return none(); }
  Result<AuditStatus> audit_status() override { return none(); }
  Status prove_audit_rule(const std::string&) override { return none(); }
  Status add_audit_rule(const std::string&) override { return none(); }
  Status delete_audit_rule(const std::string&) override { return none(); }
  Result<std::uint32_t> watch_audit_losses(std::uint32_t) override { return none(); }
  Result<std::string> own_table() override { return none(); }
  Status replace_own_table(const std::string&) override { return none(); }
  Result<std::string> other_tables() override { return none(); }
  Result<std::string> prove_table(const std::string&) override { return none(); }
  Result<UnitState> unit(const std::string&) override { return none(); }
  Status reload_units() override { return none(); }
  Result<std::vector<std::string>> reload_victims() override { return none(); }
  Status restart_unit(const std::string&) override { return none(); }
  Status stop_unit(const std::string&) override { return none(); }
  Status start_revert_timer(std::int64_t, const std::string&, const std::vector<std::string>&) override {
    return none();
  }
  Status stop_revert_timer() override { return none(); }

 private:
  static Error none() { return {ErrorCode::kNotHeld, "a tree of files has no kernel: at the next boot"}; }
};

}  // namespace

std::unique_ptr<KernelControl> make_absent_kernel() { return std::make_unique<AbsentKernel>(); }

}  // namespace gpuharden
