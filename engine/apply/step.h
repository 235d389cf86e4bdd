// SPDX-License-Identifier: GPL-2.0-or-later
// The closed set of things that apply does to a machine. Each has a state before and one after; which of the
// two a machine is in can be told at any time, so an interrupted step can be finished or taken back.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/host/file_state.h"
#include "engine/host/kernel_control.h"
#include "engine/host/tree_writer.h"

namespace gpuharden {

// Write, edit or remove a file, link or folder; set its mode, owner, attributes.
struct FileStep {
  std::string path;  // the real one
  FileState before, after;
  // Others edit this file as well: where it changed since, only our edit is taken back.
  bool is_shared = false;
};

// Take a user out of a group's list of members, in /etc/group and /etc/gshadow. `places` says where the name
// stood in each: undoing puts it back there, whatever else the line became. Where the file is then as it was
// when the plan was made, its time is too.
struct MemberPlace {
  std::string file;
  std::size_t index = 0;
  std::string digest;  // digest_of() the file's bytes when the plan was made
  FileTime modified;   // and its time
};
struct GroupStep {
  std::string group, user;
  std::vector<MemberPlace> places;
};

struct SysctlStep {
  std::string name;
  std::string before, after;
};

// Rules for the running kernel. `missing` are those that were not loaded before: they are what is undone.
struct AuditStep {
  std::vector<std::string> rules;
  std::vector<std::string> missing;
};

// Our own table of the packet filter; empty text: none.
struct TableStep {
  std::string before, after;
};

// Tell the service manager. Undoing tells it again, after the files are as they were; what was started is stopped.
struct UnitStep {
  enum class Verb { kReload, kRestart, kStart };
  Verb verb = Verb::kReload;
  std::string unit;  // of kRestart and kStart
};

using StepBody = std::variant<FileStep, GroupStep, SysctlStep, AuditStep, TableStep, UnitStep>;

struct Step {
  std::vector<std::string> rules;  // ids of the rules it is for
  StepBody body;
};

// What steps work with.
struct Workbench {
  TreeWriter& tree;
  KernelControl& kernel;
  std::string tag;  // names temporary files
  // Whether the steps were done in this boot: after another one the kernel's values come from files, and services run
  // with the files that they found.
  bool is_same_boot = true;
};

// One line for people: "/etc/default/grub: edit", "restart ollama.service".
std::string describe(const StepBody& step);
// In the order in which steps are done: files, then the kernel, then services.
int phase_of(const StepBody& step);

// Where the machine stands. A unit step is always kBefore: telling the manager twice does no harm.
Result<Progress> progress_of(const StepBody& step, Workbench& bench);
// Why the step must not be tried at all, if so; nothing is changed.
Status may_do(const StepBody& step, Workbench& bench);
// Brings the machine to the state after. Idempotent; kStale where someone else changed it.
Status do_step(const StepBody& step, Workbench& bench);
// Why undo_step() would say kStale, if so; nothing is changed.
Status may_undo(const StepBody& step, Workbench& bench);
// Brings it back to the state before. Idempotent; kStale where someone else changed it and it cannot be
// taken back beside that.
Status undo_step(const StepBody& step, Workbench& bench);

}  // namespace gpuharden
