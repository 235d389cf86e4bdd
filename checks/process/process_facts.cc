// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/process_facts.h"

#include <algorithm>

#include "checks/devices/proc_devices.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxAncestors = 64;
constexpr std::size_t kSmallFile = 65536;

bool names_gpu_driver(const Files& files) {
  const auto devices = files.read("/proc/devices");
  if (!devices) return true;  // unknown: then look
  const auto drivers = parse_proc_devices(devices->bytes);
  return std::any_of(drivers.begin(), drivers.end(), [](const auto& driver) { return is_gpu_driver(driver.name); });
}

template <typename T, typename Look>
const Result<T>& remembered(std::unordered_map<ProcessId, Result<T>>& known, ProcessId process, Look look) {
  const auto found = known.find(process);
  return found != known.end() ? found->second : known.emplace(process, look()).first->second;
}

}  // namespace

ProcessFacts::ProcessFacts(const Host& host) : host_(&host), has_gpu_driver_(names_gpu_driver(host.files())) {
  const auto entries = host.files().list("/proc");
  if (!entries) {
    list_error_ = kernel_fact_error(host, entries.error());
    return;
  }
  for (const auto& entry : *entries) {
    const auto number = parse_unsigned(entry.name);
    if (number && *number <= INT32_MAX) processes_.push_back(static_cast<ProcessId>(*number));
  }
  std::sort(processes_.begin(), processes_.end());
  if (processes_.empty()) list_error_ = kernel_fact_error(host, {ErrorCode::kNotFound, "/proc: shows no processes"});
  // The mount option hidepid takes other users' processes out of the list.
  if (!processes_.empty() && processes_.front() != 1 && !host.is_privileged()) {
    list_error_ = Error{ErrorCode::kPermission, "/proc: processes of other users are hidden"};
  }
}

std::string ProcessFacts::path(ProcessId process, std::string_view name) const {
  return concat({"/proc/", std::to_string(process), "/", name});
}

const Result<std::string>& ProcessFacts::name(ProcessId process) const {
  return remembered(names_, process, [&]() -> Result<std::string> {
    GH_ASSIGN_OR_RETURN(const FileBytes file, host_->files().read(path(process, "comm"), kSmallFile));
    return std::string(trim(file.bytes));
  });
}

const Result<ProcessStatus>& ProcessFacts::status(ProcessId process) const {
  const auto known = status_.find(process);
  if (known != status_.end()) return known->second;
  const auto file = host_->files().read(path(process, "status"), std::size_t{1} << 20U);
  auto status = file ? Result<ProcessStatus>(parse_proc_status(file->bytes)) : Result<ProcessStatus>(file.error());
  return status_.emplace(process, std::move(status)).first->second;
}

const Result<std::string>& ProcessFacts::executable(ProcessId process) const {
  return remembered(executables_, process, [&] { return host_->files().read_link(path(process, "exe")); });
}

const Result<std::vector<std::string>>& ProcessFacts::arguments(ProcessId process) const {
  return remembered(arguments_, process, [&] { return read_arguments(process); });
}

Result<std::vector<std::string>> ProcessFacts::read_arguments(ProcessId process) const {
  GH_ASSIGN_OR_RETURN(const FileBytes file, host_->files().read(path(process, "cmdline"), kSmallFile));
  std::vector<std::string> arguments;
  std::string_view text = file.bytes;
  while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
  if (text.empty()) return arguments;
  for (const auto argument : split(text, '\0')) arguments.emplace_back(argument);
  return arguments;
}

const Result<ProcessGroup>& ProcessFacts::group(ProcessId process) const {
  const auto known = groups_.find(process);
  if (known != groups_.end()) return known->second;
  const auto file = host_->files().read(path(process, "cgroup"), kSmallFile);
  auto group = file ? Result<ProcessGroup>(parse_proc_cgroup(file->bytes)) : Result<ProcessGroup>(file.error());
  return groups_.emplace(process, std::move(group)).first->second;
}

Result<std::string> ProcessFacts::net_namespace(ProcessId process) const {
  return host_->files().read_link(path(process, "ns/net"));
}

ProcessHandles ProcessFacts::read_handles(ProcessId process) const {
  ProcessHandles handles;
  const std::string folder = path(process, "fd");
  auto entries = host_->files().links(folder);
  if (!entries) {
    if (entries.error().code != ErrorCode::kNotFound || host_->kind() == HostKind::kImage) {
      handles.error = kernel_fact_error(*host_, entries.error());
    }
    return handles;
  }
  for (auto& [name, target] : *entries) {
    if (!target) {
      if (target.error().code != ErrorCode::kNotFound && !handles.error) handles.error = target.error();
    } else if (const auto inode = bracketed_number(*target, "socket")) {
      if (sockets_left_ == 0) {
        handles.error = Error{ErrorCode::kTooLarge, "too many open sockets"};
        continue;
      }
      --sockets_left_;
      handles.sockets.push_back(*inode);
    } else if (is_gpu_device_path(*target)) {
      handles.gpu_devices.push_back(std::move(*target));
    }
  }
  std::sort(handles.gpu_devices.begin(), handles.gpu_devices.end());
  return handles;
}

const ProcessHandles& ProcessFacts::handles(ProcessId process) const {
  const auto known = handles_.find(process);
  if (known != handles_.end()) return known->second;
  return handles_.emplace(process, read_handles(process)).first->second;
}

const std::vector<std::pair<ProcessId, std::size_t>>& ProcessFacts::gpu_holders() const {
  if (gpu_holders_) return *gpu_holders_;
  gpu_holders_.emplace();
  if (!has_gpu_driver_) return *gpu_holders_;
  for (const auto process : processes_) {
    const auto& held = handles(process);
    if (!held.gpu_devices.empty()) gpu_holders_->emplace_back(process, held.gpu_devices.size());
    if (!held.error) continue;
    unread_holders_.push_back(process);
    if (!handles_error_) handles_error_ = held.error;
  }
  return *gpu_holders_;
}

const std::vector<ProcessId>& ProcessFacts::unread_holders() const {
  gpu_holders();
  return unread_holders_;
}

const std::optional<Error>& ProcessFacts::handles_error() const {
  gpu_holders();
  return handles_error_;
}

std::vector<ProcessId> ProcessFacts::ancestors(ProcessId process) const {
  std::vector<ProcessId> found;
  while (found.size() < kMaxAncestors) {
    const auto& own = status(process);
    if (!own || own->parent <= 1) return found;
    found.push_back(own->parent);
    process = own->parent;
  }
  return found;
}

ProcessFacts read_process_facts(const Host& host) { return ProcessFacts(host); }

std::string_view without_deleted(std::string_view link) {
  constexpr std::string_view kDeleted = " (deleted)";
  if (link.ends_with(kDeleted)) link.remove_suffix(kDeleted.size());
  return link;
}

bool is_gpu_device_path(std::string_view path) {
  path = without_deleted(path);
  return path.starts_with("/dev/nvidia") || path == "/dev/kfd" || path.starts_with("/dev/dri/renderD") ||
         path.starts_with("/dev/accel/");
}

std::optional<std::uint64_t> bracketed_number(std::string_view text, std::string_view kind) {
  if (!text.starts_with(kind) || text.substr(kind.size(), 2) != ":[" || text.back() != ']') return std::nullopt;
  const auto start = kind.size() + 2;
  return parse_unsigned(text.substr(start, text.size() - start - 1));
}

Error error_of_many(const Error& first, std::size_t count) {
  if (count <= 1) return first;
  return {first.code, concat({first.message, ", and ", std::to_string(count - 1), " more processes"})};
}

}  // namespace gpuharden
