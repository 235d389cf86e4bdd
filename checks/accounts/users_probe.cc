// SPDX-License-Identifier: GPL-2.0-or-later
// The local users.
#include <algorithm>
#include <array>

#include "checks/accounts/accounts.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "login name", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"uid", ColumnType::kInteger, "user id", ColumnFlag::kNotNull},
    {"gid", ColumnType::kInteger, "primary group id", ColumnFlag::kNotNull},
    {"home", ColumnType::kPath, "home folder as written", ColumnFlag::kNotNull},
    {"shell", ColumnType::kPath, "login shell as written; empty means /bin/sh", ColumnFlag::kNotNull},
    {"login_shell", ColumnType::kBoolean,
     "0 where the shell lets nobody in: nologin, false, true, sync, shutdown, halt", ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "\"files\": users of a directory service are never listed, see group_members",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/etc/passwd", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in the file, from 1", ColumnFlag::kNotNull},
};

bool is_login_shell(std::string_view shell) {
  static constexpr std::array<std::string_view, 6> kClosed = {"nologin", "false", "true", "sync", "shutdown", "halt"};
  const auto name = shell.substr(shell.rfind('/') + 1);
  return std::find(kClosed.begin(), kClosed.end(), name) == kClosed.end();
}

void read_users(TableReader& out) {
  const auto& accounts = out.shared().get<Accounts>(out.host(), &read_accounts);
  for (const auto& error : accounts.user_errors) out.gap(error);
  for (const auto& user : accounts.users) {
    out.row()
        .set("name", user.name)
        .set("uid", user.uid)
        .set("gid", user.gid)
        .set("home", user.home)
        .set("shell", user.shell)
        .set("login_shell", is_login_shell(user.shell))
        .set("source", "files")
        .set("file", "/etc/passwd")
        .set("line", user.line);
  }
}

}  // namespace

Probe users_probe() {
  return {{"users", "Local users, from passwd(5). One row an entry; directory services are not enumerated.", kColumns},
          &read_users};
}

}  // namespace gpuharden
