// SPDX-License-Identifier: GPL-2.0-or-later
// The running processes, and which of them use GPUs.
#include <map>

#include "checks/process/process_facts.h"
#include "checks/system/json_list.h"
#include "checks/system/redaction.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"pid", ColumnType::kInteger, "process id", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {
        "parent",
        ColumnType::kInteger,
        "the parent's process id; 0 for none",
    },
    {"name", ColumnType::kText, "command name, at most 15 bytes (/proc/PID/comm)"},
    {"exe", ColumnType::kPath, "the executable in the process's own root (/proc/PID/exe); NULL for kernel threads"},
    {"exe_deleted", ColumnType::kBoolean, "1 when the executable's file was removed or replaced since the start"},
    {"cmdline", ColumnType::kText, "the arguments as a JSON list, credentials redacted (/proc/PID/cmdline)"},
    {"uid", ColumnType::kInteger, "effective user id"},
    {"gid", ColumnType::kInteger, "effective group id"},
    {"groups", ColumnType::kText, "supplementary group ids as a JSON list; they stay until the process ends"},
    {"unit", ColumnType::kText, "the innermost systemd service or scope (/proc/PID/cgroup); NULL when in none"},
    {"container", ColumnType::kText, "container id, from the cgroup; NULL when in none"},
    {"net_namespace", ColumnType::kText, "net:[inode] (/proc/PID/ns/net)"},
    {"same_net_namespace", ColumnType::kBoolean, "whether it is process 1's network namespace"},
    {"gpu_handles", ColumnType::kInteger,
     "open files that are GPU nodes: /dev/nvidia*, /dev/kfd, /dev/dri/renderD*, /dev/accel/* (/proc/PID/fd)"},
    {"gpu_devices", ColumnType::kText, "those nodes as a JSON list, one entry a handle"},
    {"is_kernel_thread", ColumnType::kBoolean, "1 for the kernel's own threads"},
    {"effective_capabilities", ColumnType::kText, "CapEff, sixteen hexadecimal digits"},
    {"no_new_privileges", ColumnType::kBoolean, "whether no_new_privs is set"},
    {"seccomp", ColumnType::kInteger, "0 off, 1 strict, 2 filter"},
};

class ProcessesReader {
 public:
  explicit ProcessesReader(TableReader& out)
      : out_(out), facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)) {
    wants_status_ = wants_any({"parent", "uid", "gid", "groups", "is_kernel_thread", "effective_capabilities",
                               "no_new_privileges", "seccomp"});
    wants_namespace_ = wants_any({"net_namespace", "same_net_namespace"});
    if (!wants_namespace_) return;
    if (auto first = facts_.net_namespace(1)) {
      host_namespace_ = *first;
    } else {
      note("same_net_namespace", kernel_fact_error(out.host(), first.error()));
    }
  }

  void read() {
    if (facts_.list_error()) out_.gap(*facts_.list_error());
    for (const auto process : facts_.processes()) add(process);
    for (const auto& [column, unread] : unread_) out_.gap("*", column, error_of_many(unread.error, unread.count));
  }

 private:
  struct Unread {
    Error error;
    std::size_t count = 0;
  };

  bool wants_any(std::initializer_list<std::string_view> columns) const {
    for (const auto column : columns) {
      if (out_.wants(column)) return true;
    }
    return false;
  }

  // One gap a column: without root there would be thousands. A process that ended is none.
  void note(std::string_view column, const Error& error) {
    if (error.code == ErrorCode::kNotFound) return;
    auto& unread = unread_[column];
    if (unread.count++ == 0) unread.error = error;
  }

  void add(ProcessId process) {
    auto row = out_.row();
    row.set("pid", process);
    if (out_.wants("name")) set_name(row, process);
    if (wants_status_) set_status(row, process);
    if (wants_any({"exe", "exe_deleted"})) set_executable(row, process);
    if (out_.wants("cmdline")) set_arguments(row, process);
    if (wants_any({"unit", "container"})) set_group(row, process);
    if (wants_namespace_) set_namespace(row, process);
    if (wants_any({"gpu_handles", "gpu_devices"})) set_handles(row, process);
  }

  void set_name(Row& row, ProcessId process) {
    const auto name = facts_.name(process);
    if (name) {
      row.set("name", *name);
    } else {
      note("name", name.error());
    }
  }

  void set_status(Row& row, ProcessId process) {
    const auto& status = facts_.status(process);
    if (!status) {
      for (const auto* column : {"parent", "uid", "gid", "groups", "is_kernel_thread", "effective_capabilities",
                                 "no_new_privileges", "seccomp"}) {
        note(column, status.error());
      }
      return;
    }
    std::vector<std::string> groups;
    for (const auto group : status->groups) groups.push_back(std::to_string(group));
    row.set("parent", status->parent)
        .set("uid", status->uid)
        .set("gid", status->gid)
        .set("groups", concat({"[", join(groups, ","), "]"}))
        .set("is_kernel_thread", is_kernel_thread(process, *status))
        .set("effective_capabilities", status->effective_capabilities)
        .set("no_new_privileges", status->no_new_privileges)
        .set("seccomp", status->seccomp);
  }

  // Older kernels do not say; their threads are children of kthreadd, process 2 of the first namespace.
  bool is_kernel_thread(ProcessId process, const ProcessStatus& status) {
    if (status.is_kernel_thread) return *status.is_kernel_thread;
    if (process != 2 && status.parent != 2) return false;
    if (!second_is_kthreadd_) {
      const auto name = facts_.name(2);
      second_is_kthreadd_ = name && *name == "kthreadd";
    }
    return *second_is_kthreadd_;
  }

  void set_executable(Row& row, ProcessId process) {
    const auto link = facts_.executable(process);
    if (!link) {
      note("exe", link.error());
      note("exe_deleted", link.error());
      return;
    }
    const auto executable = without_deleted(*link);
    row.set("exe", executable).set("exe_deleted", executable.size() < link->size());
  }

  void set_arguments(Row& row, ProcessId process) {
    const auto arguments = facts_.arguments(process);
    if (arguments) {
      row.set("cmdline", json_list(redact_words(*arguments)));
    } else {
      note("cmdline", arguments.error());
    }
  }

  void set_group(Row& row, ProcessId process) {
    const auto& group = facts_.group(process);
    if (group) {
      row.set("unit", group->unit).set("container", group->container);
    } else {
      note("unit", group.error());
      note("container", group.error());
    }
  }

  void set_namespace(Row& row, ProcessId process) {
    const auto own = facts_.net_namespace(process);
    if (!own) {
      note("net_namespace", own.error());
      note("same_net_namespace", own.error());
      return;
    }
    row.set("net_namespace", *own);
    if (!host_namespace_.empty()) row.set("same_net_namespace", *own == host_namespace_);
  }

  void set_handles(Row& row, ProcessId process) {
    if (!facts_.has_gpu_driver()) {
      row.set("gpu_handles", 0).set("gpu_devices", "[]");
      return;
    }
    const auto& handles = facts_.handles(process);
    if (handles.error) {
      note("gpu_handles", *handles.error);
      note("gpu_devices", *handles.error);
      // What was seen stays a fact; none seen proves nothing.
      if (handles.gpu_devices.empty()) return;
    }
    row.set("gpu_handles", static_cast<std::int64_t>(handles.gpu_devices.size()))
        .set("gpu_devices", json_list(handles.gpu_devices));
  }

  TableReader& out_;
  const ProcessFacts& facts_;
  bool wants_status_ = false;
  bool wants_namespace_ = false;
  std::string host_namespace_;
  std::optional<bool> second_is_kthreadd_;
  std::map<std::string_view, Unread> unread_;
};

void read_processes(TableReader& out) { ProcessesReader(out).read(); }

}  // namespace

Probe processes_probe() {
  return {{"processes", "Running processes, from /proc. One row a process; threads are not listed.", kColumns,
           TableCost::kFast, TableLane::kProcesses},
          &read_processes};
}

}  // namespace gpuharden
