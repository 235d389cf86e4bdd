// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel and the service manager of this machine.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/host/host.h"
#include "engine/host/kernel_control.h"
#include "engine/host/reload_victims.h"
#include "engine/native/audit_control.h"
#include "engine/native/nft_control.h"
#include "engine/native/systemd_bus.h"

namespace gpuharden {
namespace {

constexpr const char* kRevertUnit = "gpuharden-revert";
constexpr std::size_t kMaxValue = 65536;
constexpr auto kAuditWatch = std::chrono::seconds(5);
constexpr auto kAuditPause = std::chrono::milliseconds(200);

// As sysctl(8) reads names: the first separator decides, so "net/ipv4/conf/eth0.1/forwarding" can be said.
Result<std::string> sysctl_path(const std::string& name) {
  const auto first = name.find_first_of("./");
  std::string path = name;
  if (first != std::string::npos && name[first] == '.') {
    for (auto& c : path) c = c == '.' ? '/' : c == '/' ? '.' : c;
  }
  for (const auto part : split(std::string_view(path), '/')) {
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos)
      return Error{ErrorCode::kMalformed, concat({"sysctl \"", name, "\": no such name can be"})};
  }
  return "/proc/sys/" + path;
}

Result<UniqueFd> open_sysctl(const std::string& name, int flags) {
  GH_ASSIGN_OR_RETURN(const std::string path, sysctl_path(name));
  UniqueFd fd(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW));
  if (!fd) return error_from_errno(errno, concat({"sysctl ", name}));
  return fd;
}

class LiveKernel final : public KernelControl {
 public:
  Status is_held() const override { return {}; }

  std::string boot_id() const override {
    const UniqueFd fd(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
    char text[64];
    const auto count = ::read(fd.get(), text, sizeof text);
    return count > 0 ? std::string(trim({text, static_cast<std::size_t>(count)})) : std::string();
  }

  Result<std::string> sysctl(const std::string& name) override {
    GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_sysctl(name, O_RDONLY));
    std::string value(kMaxValue, '\0');
    const auto count = ::read(fd.get(), value.data(), value.size());
    if (count < 0) return error_from_errno(errno, concat({"sysctl ", name}));
    value.resize(static_cast<std::size_t>(count));
    if (value.ends_with('\n')) value.pop_back();
    return value;
  }

  // One write: the kernel takes a value as a whole.
  Status set_sysctl(const std::string& name, const std::string& value) override {
    GH_ASSIGN_OR_RETURN(const UniqueFd fd, open_sysctl(name, O_WRONLY));
    const auto count = ::write(fd.get(), value.data(), value.size());
    if (count < 0) return error_from_errno(errno, concat({"sysctl ", name}));
    if (static_cast<std::size_t>(count) == value.size()) return {};
    return Error{ErrorCode::kIo, concat({"sysctl ", name, ": the kernel took a part of the value"})};
  }

  Result<std::vector<std::string>> audit_rules() override { return loaded_audit_rules(); }
  Result<AuditStatus> audit_status() override {
    GH_ASSIGN_OR_RETURN(const std::string message, ask_audit_status());
    return decode_audit_status(message);
  }
  Status prove_audit_rule(const std::string& rule) override {
    auto loadable = loadable_audit_rule(rule);
    if (!loadable) return std::move(loadable).error();
    return {};
  }
  Status add_audit_rule(const std::string& rule) override { return add_kernel_audit_rule(rule); }
  Status delete_audit_rule(const std::string& rule) override { return delete_kernel_audit_rule(rule); }

  Result<std::uint32_t> watch_audit_losses(std::uint32_t before) override {
    const auto end = std::chrono::steady_clock::now() + kAuditWatch;
    for (;;) {
      GH_ASSIGN_OR_RETURN(const AuditStatus status, audit_status());
      if (status.lost > before) return status.lost - before;
      if (status.enabled == 0 || std::chrono::steady_clock::now() >= end) return 0U;
      std::this_thread::sleep_for(kAuditPause);
    }
  }

  Result<std::string> own_table() override { return list_guard_table(); }
  Status replace_own_table(const std::string& text) override { return replace_guard_table(text); }
  Result<std::string> other_tables() override { return digest_of_other_tables(); }
  Result<std::string> prove_table(const std::string& text) override { return prove_guard_table(text); }

  Result<UnitState> unit(const std::string& name) override {
    GH_RETURN_IF_ERROR(connect());
    GH_ASSIGN_OR_RETURN(const BusUnit unit, bus_->unit(name));
    return UnitState{unit.is_loaded, unit.is_active, unit.needs_reload, unit.refuses_start || unit.refuses_stop};
  }
  Status reload_units() override {
    GH_RETURN_IF_ERROR(connect());
    return bus_->reload();
  }
  Result<std::vector<std::string>> reload_victims() override {
    GH_ASSIGN_OR_RETURN(const auto files, open_own_files());
    return gpuharden::reload_victims(*files);
  }
  Status restart_unit(const std::string& name) override {
    GH_RETURN_IF_ERROR(connect());
    return bus_->restart(name);
  }
  Status stop_unit(const std::string& name) override {
    GH_RETURN_IF_ERROR(connect());
    return bus_->stop(name);
  }

  Status start_revert_timer(std::int64_t seconds, const std::string& program,
                            const std::vector<std::string>& arguments) override {
    GH_RETURN_IF_ERROR(stop_revert_timer());
    return bus_->start_timer(kRevertUnit, std::chrono::seconds(seconds), program, arguments);
  }
  Status stop_revert_timer() override { return stop_unit(concat({kRevertUnit, ".timer"})); }

 private:
  // Not before it is needed: a machine without systemd can still have its sysctls changed.
  Status connect() {
    if (bus_) return {};
    GH_ASSIGN_OR_RETURN(bus_, SystemdBus::open());
    return {};
  }
  std::unique_ptr<SystemdBus> bus_;
};

}  // namespace

std::unique_ptr<KernelControl> make_live_kernel() { return std::make_unique<LiveKernel>(); }

}  // namespace gpuharden
