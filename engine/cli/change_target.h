// SPDX-License-Identifier: GPL-2.0-or-later
// The machine, or the tree of files, that a command changes.
#pragma once

#include <memory>
#include <string>

#include "engine/apply/executor.h"
#include "engine/apply/journal.h"
#include "engine/host/host.h"

namespace gpuharden {

struct ChangeTarget {
  std::unique_ptr<TreeWriter> tree;
  std::unique_ptr<KernelControl> kernel;
  std::unique_ptr<Journal> journal;  // none where only looking was asked for
  std::unique_ptr<Executor> executor;
};

// What is audited and planned on. It remembers what it has seen: after a change it is opened again. `root` empty: this
// machine.
Result<std::unique_ptr<Host>> open_host(const std::string& root);
// kPermission when not run as root.
Result<ChangeTarget> open_to_look(const std::string& root);
// The same with the journal's lock; what was interrupted is taken back first, and told on standard error.
Result<ChangeTarget> open_to_change(const std::string& root);
// The clocks that confirmation windows are judged by.
Clocks clocks_of(const ChangeTarget& target);

// Interrupts are ignored while one of these lives: a change that has begun goes to its end.
class Uninterrupted {
 public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  ~Uninterrupted();

 private:
  void (*interrupt_)(int);
  void (*terminate_)(int);
  void (*hang_up_)(int);
};

// One line in the system's log; nothing for a tree.
void write_system_log(const std::string& root, const std::string& line);

// A yes on the terminal; false where there is no terminal.
bool ask_on_terminal(std::string_view question);

}  // namespace gpuharden
