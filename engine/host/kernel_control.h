// SPDX-License-Identifier: GPL-2.0-or-later
// What apply changes in the running kernel and in the service manager. Files are TreeWriter's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/native/audit.h"

namespace gpuharden {

struct UnitState {
  bool is_loaded = false;        // the manager knows the unit
  bool is_active = false;        // it runs
  bool needs_reload = false;     // its files are newer than what the manager has read
  bool refuses_restart = false;  // RefuseManualStart= or RefuseManualStop=
};

// Each call changes one thing as a whole or fails. Calls that a library makes wait have a deadline.
class KernelControl {
 public:
  virtual ~KernelControl() = default;

  // Why nothing of this can be had (a tree of files has no kernel): steps then take effect at the next boot.
  // Success where it can.
  virtual Status is_held() const = 0;
  // Of the running boot; empty where it is not known.
  virtual std::string boot_id() const = 0;

  // By its dotted name, without the newline. kNotFound where the kernel has none.
  virtual Result<std::string> sysctl(const std::string& name) = 0;
  virtual Status set_sysctl(const std::string& name, const std::string& value) = 0;

  // The kernel's rules as auditctl -l writes them, in the kernel's order.
  virtual Result<std::vector<std::string>> audit_rules() = 0;
  virtual Result<AuditStatus> audit_status() = 0;
  // Why the kernel would not take a rule in the syntax of rules.d: the syntax, a name that is not known here, a folder
  // that is not there. Nothing is loaded.
  virtual Status prove_audit_rule(const std::string& rule) = 0;
  // One rule; one that is there already is success. kPermission when the rule set is locked (enabled 2).
  virtual Status add_audit_rule(const std::string& rule) = 0;
  virtual Status delete_audit_rule(const std::string& rule) = 0;
  // Watches for some seconds how many records the kernel loses beyond `before`, the count when the watch was decided
  // on: too many rules, or too busy ones. Returns as soon as there is one; at once where audit is off.
  virtual Result<std::uint32_t> watch_audit_losses(std::uint32_t before) = 0;

  // The text of `table inet gpuharden`; empty where there is none.
  virtual Result<std::string> own_table() = 0;
  // Replaces it in one batch; empty removes it. Never touches another table.
  virtual Status replace_own_table(const std::string& text) = 0;
  // A digest of all other tables, without their counters.
  virtual Result<std::string> other_tables() = 0;
  // The text as own_table() will show it, once it is loaded: from a network namespace that is thrown away. A plan
  // holds tables in this form. An error when the text does not load.
  virtual Result<std::string> prove_table(const std::string& text) = 0;

  virtual Result<UnitState> unit(const std::string& name) = 0;
  virtual Status reload_units() = 0;
  // Who would lose a GPU by that: see engine/host/reload_victims.h.
  virtual Result<std::vector<std::string>> reload_victims() = 0;
  // Returns when the unit runs again; an error when it does not. What did not run is started.
  virtual Status restart_unit(const std::string& name) = 0;
  // Returns when it does not run any more. Success where it did not, or is not known.
  virtual Status stop_unit(const std::string& name) = 0;

  // Runs a program once, some seconds from now, whatever becomes of this process; in place of an earlier timer.
  // It goes with the boot. kUnsupported where there is no systemd.
  virtual Status start_revert_timer(std::int64_t seconds, const std::string& program,
                                    const std::vector<std::string>& arguments) = 0;
  // Success also where none runs.
  virtual Status stop_revert_timer() = 0;
};

// For trees of files: everything is kNotHeld.
std::unique_ptr<KernelControl> make_absent_kernel();
// This machine.
std::unique_ptr<KernelControl> make_live_kernel();

}  // namespace gpuharden
