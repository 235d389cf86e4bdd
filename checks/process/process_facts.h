// SPDX-License-Identifier: GPL-2.0-or-later
// What /proc tells about processes, read when asked for and remembered for the probes of one reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checks/process/proc_status.h"
#include "engine/host/host.h"
#include "engine/host/proc_cgroup.h"

namespace gpuharden {

using ProcessId = std::int64_t;

// What a process holds open.
struct ProcessHandles {
  std::vector<std::string> gpu_devices;  // one path for each handle, sorted
  std::vector<std::uint64_t> sockets;    // inodes
  std::optional<Error> error;            // the list could not be read, or not in full
};

// Every result is kNotFound for a process that ended meanwhile: that is no gap. Not thread-safe.
class ProcessFacts {
 public:
  explicit ProcessFacts(const Host& host);

  // The processes there are, in rising order.
  const std::vector<ProcessId>& processes() const { return processes_; }
  // Why the list is not complete, if it is not: /proc is not there, or hides other users' processes.
  const std::optional<Error>& list_error() const { return list_error_; }
  // Whether /proc/devices names a GPU driver, or could not be read.
  bool has_gpu_driver() const { return has_gpu_driver_; }

  const Result<std::string>& name(ProcessId process) const;
  const Result<ProcessStatus>& status(ProcessId process) const;
  // The text of the link exe, " (deleted)" included. Kernel threads have none (kNotFound).
  const Result<std::string>& executable(ProcessId process) const;
  const Result<std::vector<std::string>>& arguments(ProcessId process) const;
  const Result<ProcessGroup>& group(ProcessId process) const;
  // "net:[4026531840]".
  Result<std::string> net_namespace(ProcessId process) const;
  const ProcessHandles& handles(ProcessId process) const;
  // Processes that hold a GPU open, with the number of handles. Empty where there is no GPU driver.
  const std::vector<std::pair<ProcessId, std::size_t>>& gpu_holders() const;
  // The processes whose handles could not be read, or not in full, while gpu_holders() looked, and
  // the first reason.
  const std::vector<ProcessId>& unread_holders() const;
  const std::optional<Error>& handles_error() const;
  // The parent's parent and so on, nearest first, without process 1; at most 64.
  std::vector<ProcessId> ancestors(ProcessId process) const;

 private:
  std::string path(ProcessId process, std::string_view name) const;
  Result<std::vector<std::string>> read_arguments(ProcessId process) const;
  ProcessHandles read_handles(ProcessId process) const;

  const Host* host_;
  std::vector<ProcessId> processes_;
  std::optional<Error> list_error_;
  bool has_gpu_driver_ = true;
  mutable std::unordered_map<ProcessId, Result<ProcessStatus>> status_;
  mutable std::unordered_map<ProcessId, Result<ProcessGroup>> groups_;
  mutable std::unordered_map<ProcessId, Result<std::string>> names_;
  mutable std::unordered_map<ProcessId, Result<std::string>> executables_;
  mutable std::unordered_map<ProcessId, Result<std::vector<std::string>>> arguments_;
  mutable std::unordered_map<ProcessId, ProcessHandles> handles_;
  mutable std::optional<std::vector<std::pair<ProcessId, std::size_t>>> gpu_holders_;
  mutable std::vector<ProcessId> unread_holders_;
  mutable std::optional<Error> handles_error_;
  mutable std::size_t sockets_left_ = 4000000;
};

// For SharedFacts::get<ProcessFacts>.
ProcessFacts read_process_facts(const Host& host);

// A link's text without the " (deleted)" that the kernel puts behind the name of a file that is gone.
std::string_view without_deleted(std::string_view link);

// Whether the text of a link in /proc/PID/fd names a GPU: /dev/nvidia…, /dev/kfd, /dev/dri/renderD…,
// /dev/accel/….
bool is_gpu_device_path(std::string_view path);

// "net:[4026531840]" and "socket:[55501]" as numbers.
std::optional<std::uint64_t> bracketed_number(std::string_view text, std::string_view kind);

// The error of the first of `count` processes, as the one gap that stands for all of them.
Error error_of_many(const Error& first, std::size_t count);

}  // namespace gpuharden
