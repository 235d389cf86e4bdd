// SPDX-License-Identifier: GPL-2.0-or-later
// The local groups.
#include "checks/accounts/accounts.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "group name", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"gid", ColumnType::kInteger, "group id; several names may share one", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/etc/group", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in the file, from 1", ColumnFlag::kNotNull},
};

void read_groups(TableReader& out) {
  const auto& accounts = out.shared().get<Accounts>(out.host(), &read_accounts);
  for (const auto& error : accounts.group_errors) out.gap(error);
  for (const auto& group : accounts.groups) {
    out.row().set("name", group.name).set("gid", group.gid).set("file", "/etc/group").set("line", group.line);
  }
}

}  // namespace

Probe groups_probe() {
  return {{"groups", "Local groups, from group(5). One row an entry; the members are in group_members.", kColumns},
          &read_groups};
}

}  // namespace gpuharden
