// SPDX-License-Identifier: GPL-2.0-or-later
// A machine that goes wrong at a chosen moment: at each change of a file or of the (played) kernel the process can be
// killed, before it or after it, or the change can fail.
#pragma once

#include <string>

#include "engine/host/kernel_control.h"
#include "engine/host/write_calls.h"

namespace gpuharden::test {

// Counts changes, and goes wrong at one of them.
class Faults {
 public:
  int kill_before = -1;  // number of the change, from 0
  int kill_after = -1;
  int fail_at = -1;
  int error = 0;  // errno of the failure

  int count() const { return count_; }
  // Each change is framed by these two.
  Status before(std::string_view what);
  void after();

 private:
  int count_ = 0;
};

// The real calls, framed.
class FaultyCalls final : public WriteCalls {
 public:
  explicit FaultyCalls(Faults& faults) : faults_(faults) {}
  Result<UniqueFd> create(int folder, const std::string& name) override;
  Result<UniqueFd> open_to_append(int folder, const std::string& name) override;
  Status write(int file, std::string_view bytes, std::string_view what) override;
  Status truncate(int file, std::uint64_t size, std::string_view what) override;
  Status sync(int file, std::string_view what) override;
  Status rename(int folder, const std::string& from, const std::string& to) override;
  Status unlink(int folder, const std::string& name) override;
  Status make_folder(int folder, const std::string& name) override;
  Status remove_folder(int folder, const std::string& name) override;
  Status make_link(int folder, const std::string& name, const std::string& target) override;
  Status set_mode(int file, std::uint32_t mode, std::string_view what) override;
  Status set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what) override;
  Status set_xattr(int file, const std::string& name, std::string_view value, std::string_view what) override;
  Status remove_xattr(int file, const std::string& name, std::string_view what) override;
  Status set_modified(int file, FileTime time, std::string_view what) override;

 private:
  template <typename Change>
  auto framed(std::string_view what, Change change) -> decltype(change()) {
    if (auto fault = faults_.before(what); !fault) return std::move(fault).error();
    auto result = change();
    faults_.after();
    return result;
  }
  Faults& faults_;
};

// A kernel whose state lies in a file, so that it outlives a killed process. Each change is framed.
class FileKernel final : public KernelControl {
 public:
  FileKernel(std::string file, Faults& faults) : file_(std::move(file)), faults_(faults) {}
  // What a machine has before anything is applied.
  static std::string initial_state();

  Status is_held() const override { return {}; }
  std::string boot_id() const override { return "boot-1"; }
  Result<std::string> sysctl(const std::string& name) override;
  Status set_sysctl(const std::string& name, const std::string& value) override;
  Result<std::vector<std::string>> audit_rules() override;
  Result<AuditStatus> audit_status() override;
  Status prove_audit_rule(const std::string& rule) override;
  Status add_audit_rule(const std::string& rule) override;
  Status delete_audit_rule(const std::string& rule) override;
  Result<std::uint32_t> watch_audit_losses(std::uint32_t before) override;
  Result<std::string> own_table() override;
  Status replace_own_table(const std::string& text) override;
  Result<std::string> other_tables() override;
  Result<std::string> prove_table(const std::string& text) override;
  Result<UnitState> unit(const std::string& name) override;
  Status reload_units() override;
  Result<std::vector<std::string>> reload_victims() override;
  Status restart_unit(const std::string& name) override;
  Status stop_unit(const std::string& name) override;
  Status start_revert_timer(std::int64_t seconds, const std::string& program,
                            const std::vector<std::string>& arguments) override;
  Status stop_revert_timer() override;

 private:
  template <typename Change>
  Status changed(std::string_view what, Change change);
  std::string file_;
  Faults& faults_;
};

}  // namespace gpuharden::test
