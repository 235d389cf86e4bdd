// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/apply/faults.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/base/text.h"

namespace gpuharden::test {
namespace {
using Json = nlohmann::json;

Json load(const std::string& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

}  // namespace

Status Faults::before(std::string_view what) {
  const int number = count_++;
  if (number == kill_before) ::kill(::getpid(), SIGKILL);
  if (number == fail_at) return error_from_errno(error, concat({what, " (planned)"}));
  return {};
}

void Faults::after() {
  if (count_ - 1 == kill_after) ::kill(::getpid(), SIGKILL);
}

Result<UniqueFd> FaultyCalls::create(int folder, const std::string& name) {
  return framed("create", [&] { return WriteCalls::create(folder, name); });
}
// Opening changes nothing.
Result<UniqueFd> FaultyCalls::open_to_append(int folder, const std::string& name) {
  return WriteCalls::open_to_append(folder, name);
}
// A write that fails has often written something.
Status FaultyCalls::write(int file, std::string_view bytes, std::string_view what) {
  if (auto fault = faults_.before("write"); !fault) {
    (void)WriteCalls::write(file, bytes.substr(0, bytes.size() / 2), what).has_value();
    return fault;
  }
  auto result = WriteCalls::write(file, bytes, what);
  faults_.after();
  return result;
}
Status FaultyCalls::truncate(int file, std::uint64_t size, std::string_view what) {
  return framed("truncate", [&] { return WriteCalls::truncate(file, size, what); });
}
// A killed process loses nothing that it wrote: really to sync would only make thousands of runs slow.
Status FaultyCalls::sync(int, std::string_view) {
  return framed("fsync", [] { return Status(); });
}
Status FaultyCalls::rename(int folder, const std::string& from, const std::string& to) {
  return framed("rename", [&] { return WriteCalls::rename(folder, from, to); });
}
Status FaultyCalls::unlink(int folder, const std::string& name) {
  return framed("unlink", [&] { return WriteCalls::unlink(folder, name); });
}
Status FaultyCalls::make_folder(int folder, const std::string& name) {
  return framed("mkdir", [&] { return WriteCalls::make_folder(folder, name); });
}
Status FaultyCalls::remove_folder(int folder, const std::string& name) {
  return framed("rmdir", [&] { return WriteCalls::remove_folder(folder, name); });
}
Status FaultyCalls::make_link(int folder, const std::string& name, const std::string& target) {
  return framed("symlink", [&] { return WriteCalls::make_link(folder, name, target); });
}
Status FaultyCalls::set_mode(int file, std::uint32_t mode, std::string_view what) {
  return framed("chmod", [&] { return WriteCalls::set_mode(file, mode, what); });
}
Status FaultyCalls::set_owner(int file, std::uint32_t uid, std::uint32_t gid, std::string_view what) {
  return framed("chown", [&] { return WriteCalls::set_owner(file, uid, gid, what); });
}
Status FaultyCalls::set_xattr(int file, const std::string& name, std::string_view value, std::string_view what) {
  return framed("setxattr", [&] { return WriteCalls::set_xattr(file, name, value, what); });
}
Status FaultyCalls::remove_xattr(int file, const std::string& name, std::string_view what) {
  return framed("removexattr", [&] { return WriteCalls::remove_xattr(file, name, what); });
}
Status FaultyCalls::set_modified(int file, FileTime time, std::string_view what) {
  return framed("utimensat", [&] { return WriteCalls::set_modified(file, time, what); });
}

std::string FileKernel::initial_state() {
  const Json state = {
      {"sysctl", {{"kernel.kptr_restrict", "0"}}}, {"audit", {"-w /etc/passwd -p wa -k theirs"}}, {"table", ""}};
  return state.dump();
}

template <typename Change>
Status FileKernel::changed(std::string_view what, Change change) {
  if (auto fault = faults_.before(what); !fault) return fault;
  Json state = load(file_);
  change(state);
  // As atomic as the kernel's own change is.
  std::ofstream(file_ + ".new") << state.dump();
  ::rename((file_ + ".new").c_str(), file_.c_str());
  faults_.after();
  return {};
}

Result<std::string> FileKernel::sysctl(const std::string& name) {
  const Json state = load(file_);
  if (!state["sysctl"].contains(name)) return Error{ErrorCode::kNotFound, name};
  return state["sysctl"][name].get<std::string>();
}
Status FileKernel::set_sysctl(const std::string& name, const std::string& value) {
  return changed("sysctl", [&](Json& state) { state["sysctl"][name] = value; });
}
Result<std::vector<std::string>> FileKernel::audit_rules() {
  return load(file_)["audit"].get<std::vector<std::string>>();
}
Result<AuditStatus> FileKernel::audit_status() {
  AuditStatus status;
  status.enabled = load(file_).value("enabled", 1U);
  return status;
}
Status FileKernel::prove_audit_rule(const std::string& rule) {
  if (rule.find("broken") == std::string::npos) return {};
  return Error{ErrorCode::kMalformed, "the rule does not load"};
}
Status FileKernel::add_audit_rule(const std::string& rule) {
  return changed("audit rule", [&](Json& state) { state["audit"].push_back(rule); });
}
Status FileKernel::delete_audit_rule(const std::string& rule) {
  return changed("audit rule", [&](Json& state) {
    auto& rules = state["audit"];
    rules.erase(std::find(rules.begin(), rules.end(), rule));
  });
}
Result<std::uint32_t> FileKernel::watch_audit_losses(std::uint32_t) { return load(file_).value("losses", 0U); }
Result<std::string> FileKernel::own_table() { return load(file_)["table"].get<std::string>(); }
Status FileKernel::replace_own_table(const std::string& text) {
  return changed("nft", [&](Json& state) { state["table"] = text; });
}
Result<std::string> FileKernel::other_tables() { return std::string("theirs"); }
Result<std::string> FileKernel::prove_table(const std::string& text) {
  if (text.find("broken") == std::string::npos) return text;
  return Error{ErrorCode::kLibrary, "the table does not load"};
}
Result<UnitState> FileKernel::unit(const std::string&) {
  return UnitState{true, load(file_).value("active", true), false, false};
}
Status FileKernel::reload_units() {
  return changed("daemon-reload", [](Json&) {});
}
Result<std::vector<std::string>> FileKernel::reload_victims() {
  return load(file_).value("victims", std::vector<std::string>());
}
// How often a service was restarted is no state that has to come back. What is not up waits for ever.
Status FileKernel::restart_unit(const std::string& name) {
  if (!load(file_).value("active", true)) return Error{ErrorCode::kTimeout, name};
  return changed("restart", [](Json&) {});
}
Status FileKernel::stop_unit(const std::string&) {
  return changed("stop", [](Json&) {});
}
// Nor is a timer: what it starts finds nothing to do.
Status FileKernel::start_revert_timer(std::int64_t, const std::string&, const std::vector<std::string>&) {
  return changed("timer", [](Json&) {});
}
Status FileKernel::stop_revert_timer() {
  return changed("timer", [](Json&) {});
}

}  // namespace gpuharden::test
