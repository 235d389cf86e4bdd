// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/change_target.h"

#include <signal.h>
#include <syslog.h>
#include <unistd.h>

#include <cstdio>

#include "engine/base/text.h"
#include "engine/cli/command.h"

namespace gpuharden {

Result<std::unique_ptr<Host>> open_host(const std::string& root) {
  return root.empty() ? open_live_host() : open_image_host(root);
}

Result<ChangeTarget> open_to_look(const std::string& root) {
  if (::geteuid() != 0) return Error{ErrorCode::kPermission, "only root can do this"};
  ChangeTarget target;
  GH_ASSIGN_OR_RETURN(target.tree, TreeWriter::open(root.empty() ? "/" : root, system_write_calls()));
  target.kernel = root.empty() ? make_live_kernel() : make_absent_kernel();
  return target;
}

Result<ChangeTarget> open_to_change(const std::string& root) {
  GH_ASSIGN_OR_RETURN(ChangeTarget target, open_to_look(root));
  GH_ASSIGN_OR_RETURN(target.journal, Journal::open(*target.tree));
  target.executor = std::make_unique<Executor>(*target.tree, *target.kernel, *target.journal);
  GH_ASSIGN_OR_RETURN(const auto told, target.executor->recover(clocks_of(target)));
  for (const auto& line : told) {
    complain(line);
    write_system_log(root, line);
  }
  return target;
}

Clocks clocks_of(const ChangeTarget& target) {
  Clocks clocks = read_clocks();
  clocks.boot_id = target.kernel->boot_id();
  return clocks;
}

Uninterrupted::Uninterrupted()
    : interrupt_(::signal(SIGINT, SIG_IGN)),
      terminate_(::signal(SIGTERM, SIG_IGN)),
      hang_up_(::signal(SIGHUP, SIG_IGN)) {}

Uninterrupted::~Uninterrupted() {
  ::signal(SIGINT, interrupt_);
  ::signal(SIGTERM, terminate_);
  ::signal(SIGHUP, hang_up_);
}

void write_system_log(const std::string& root, const std::string& line) {
  if (!root.empty()) return;
  ::openlog("gpuharden", LOG_PID, LOG_AUTHPRIV);
  ::syslog(LOG_NOTICE, "%s", escape_for_terminal(line).c_str());
  ::closelog();
}

bool ask_on_terminal(std::string_view question) {
  if (::isatty(STDIN_FILENO) == 0) return false;
  std::fprintf(stderr, "%.*s [y/N] ", static_cast<int>(question.size()), question.data());
  char line[16] = {};
  if (std::fgets(line, sizeof line, stdin) == nullptr) return false;
  return line[0] == 'y' || line[0] == 'Y';
}

}  // namespace gpuharden
