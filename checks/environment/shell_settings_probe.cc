// SPDX-License-Identifier: GPL-2.0-or-later
// What start-up files set besides variables.
#include "checks/environment/environment_facts.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the start-up file", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of that file, from 1", ColumnFlag::kNotNull},
    {"scope", ColumnType::kText, "login, user, skeleton or default, as in env_assignments", ColumnFlag::kNotNull},
    {"family", ColumnType::kText, "which shells read the file: sh, zsh, fish, csh; logout for files read at the end",
     ColumnFlag::kNotNull},
    {"user", ColumnType::kText, "whose file it is; NULL for the system's"},
    {"name", ColumnType::kText,
     "umask, source (a file that is read too), eval, or history (switched off by set +o history)",
     ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "its argument, expanded as far as it is constant", ColumnFlag::kNotNull},
    {"umask", ColumnType::kMode, "of umask: the bits that it takes away; NULL when they are not constant"},
    {"conditional", ColumnType::kBoolean, "1 inside if, case, a loop, a function or behind && and ||",
     ColumnFlag::kNotNull},
    {"effective", ColumnType::kBoolean,
     "of umask: 1 when no later unconditional one of the same scope, family and user replaces it",
     ColumnFlag::kNotNull},
    {"sequence", ColumnType::kInteger, "position in the order in which the files are read", ColumnFlag::kNotNull},
};

void read_shell_settings(TableReader& out) {
  const auto& facts = environment_facts(out.host(), out.shared());
  for (const auto& gap : facts.gaps) out.gap(gap.file, "*", gap.error);
  std::int64_t sequence = 0;
  for (const auto& setting : facts.settings) {
    out.row()
        .set("file", setting.file)
        .set("line", setting.line)
        .set("scope", setting.scope)
        .set("family", setting.family)
        .set("user", setting.user)
        .set("name", setting.name)
        .set("value", setting.value)
        .set("umask", setting.umask)
        .set("conditional", setting.is_conditional)
        .set("effective", setting.is_effective)
        .set("sequence", ++sequence);
  }
}

}  // namespace

Probe shell_settings_probe() {
  return {{"shell_settings",
           "umask, sourced files, eval and history switches in shells' start-up files, in reading order. Text in "
           "comments, quotes and here-documents is no code.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_shell_settings};
}

}  // namespace gpuharden
