// SPDX-License-Identifier: GPL-2.0-or-later
// What simple commands of a shell do to variables; where they stand is the parser's business.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "checks/environment/shell_assignments.h"
#include "checks/environment/shell_lexer.h"

namespace gpuharden {

// NAME=word, NAME+=word, NAME[index]=word.
bool is_shell_assignment(std::string_view word);

class ShellCommands {
 public:
  // Where a command stands.
  struct Context {
    bool is_conditional = false;
    std::function<bool(std::string_view name)> is_guarded;  // a condition around it looks at that variable
  };

  explicit ShellCommands(ShellVariables known) : known_(std::move(known)) {}

  // One simple command: assignments, then a command word and its arguments.
  void run(const std::vector<ShellToken>& words, const Context& context);
  bool is_full() const { return out_.is_truncated; }
  ShellText take();

 private:
  void run_command(std::size_t first);
  const ShellToken& last_plain_argument(std::size_t first) const;
  void declare(std::string_view command, std::size_t first);
  void export_earlier(const std::string& name);
  void take_env(std::size_t first);
  void take_unset(std::size_t first);
  void take_set(std::size_t first);
  void add_text(ShellItemKind kind, std::string_view name, const ShellToken& word);
  void assign(const ShellToken& token, bool exported, bool for_command);
  void remember_value(const ShellItem& item);
  void add(ShellItem item);

  const std::vector<ShellToken>* words_ = nullptr;  // of the command that runs
  const Context* context_ = nullptr;
  ShellVariables known_;
  bool exports_all_ = false;                                            // set -a
  std::unordered_map<std::string, std::vector<std::size_t>> items_of_;  // not exported yet
  ShellText out_;
};

}  // namespace gpuharden
