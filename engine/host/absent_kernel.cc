// SPDX-License-Identifier: GPL-2.0-or-later
// A tree of files has no kernel and no service manager: what is changed takes effect at its next boot.
#include "engine/base/text.h"
#include "engine/host/kernel_control.h"

namespace gpuharden {
namespace {

Error not_held() { return {ErrorCode::kNotHeld, "a tree of files has no running kernel"}; }

class AbsentKernel final : public KernelControl {
 public:
  Status is_held() const override { return not_held(); }
  std::string boot_id() const override { return {}; }
  Result<std::string> sysctl(const std::string&) override { return not_held(); }
  Status set_sysctl(const std::string&, const std::string&) override { return not_held(); }
  Result<std::vector<std::string>> audit_rules() override { return not_held(); }
  Result<AuditStatus> audit_status() override { return not_held(); }
  Status add_audit_rule(const std::string&) override { return not_held(); }
  Status delete_audit_rule(const std::string&) override { return not_held(); }
  Result<std::string> own_table() override { return not_held(); }
  Status replace_own_table(const std::string&) override { return not_held(); }
  Result<std::string> other_tables() override { return not_held(); }
  Status prove_table(const std::string&) override { return not_held(); }
  Result<UnitState> unit(const std::string&) override { return not_held(); }
  Status reload_units() override { return not_held(); }
  Status restart_unit(const std::string&) override { return not_held(); }
};

}  // namespace

std::unique_ptr<KernelControl> make_absent_kernel() { return std::make_unique<AbsentKernel>(); }
std::unique_ptr<KernelControl> make_live_kernel() { return std::make_unique<AbsentKernel>(); }

}  // namespace gpuharden
