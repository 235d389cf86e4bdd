// SPDX-License-Identifier: GPL-2.0-or-later
// Every assignment of an environment variable that some file makes.
#include "checks/environment/environment_facts.h"
#include "checks/environment/path_exposure.h"
#include "checks/environment/variable.h"
#include "checks/systemd/account_ids.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "the file that sets it", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of that file, from 1", ColumnFlag::kNotNull},
    {"scope", ColumnType::kText,
     "whom it reaches: login (every login), user (one user's sessions), skeleton (new users), unit (a system unit), "
     "manager (every unit: system.conf), "
     "user-manager (user.conf, environment.d), user-unit (a unit of user managers), cron, default (/etc/default and "
     "/etc/sysconfig, for what reads them)",
     ColumnFlag::kNotNull},
    {"user", ColumnType::kText, "whose file it is; NULL for the system's"},
    {"unit", ColumnType::kText, "the unit that gets it; NULL elsewhere"},
    {"syntax", ColumnType::kText,
     "shell, shell-command (for one command only: A=b cmd), fish, csh, pam, pam_env.conf, environment-file, "
     "environment.d, crontab, ssh or unit",
     ColumnFlag::kNotNull},
    {"operation", ColumnType::kText, "set, unset, or pass (PassEnvironment=: the manager's value)",
     ColumnFlag::kNotNull},
    {"name", ColumnType::kText, "name of the variable", ColumnFlag::kNotNull},
    {"value", ColumnType::kText,
     "the value, expanded as far as it is constant, at most 4 KiB; of credentials only \"<redacted N bytes>\"; empty "
     "for unset and pass",
     ColumnFlag::kNotNull},
    {"raw", ColumnType::kText, "the value as it is written", static_cast<unsigned>(ColumnFlag::kSecret)},
    {"is_credential", ColumnType::kBoolean,
     "1 when the name says so (*TOKEN*, *API_KEY*, *SECRET*, *PASSWORD*, …) or the value is a URL with a password",
     ColumnFlag::kNotNull},
    {"exported", ColumnType::kBoolean, "1 when processes started from there get it", ColumnFlag::kNotNull},
    {"conditional", ColumnType::kBoolean,
     "1 inside if, case, a loop, a function or behind && and ||: conditions are not evaluated", ColumnFlag::kNotNull},
    {"guarded", ColumnType::kBoolean, "1 when a condition around it looks at the variable itself",
     ColumnFlag::kNotNull},
    {"effective", ColumnType::kBoolean, "1 when no later or stronger assignment of the same scope replaces it",
     ColumnFlag::kNotNull},
    {"empty_element", ColumnType::kBoolean,
     "of path lists (PATH, LD_LIBRARY_PATH, …): 1 when an element is empty, \".\" or relative if the variable was not "
     "set before; NULL for other variables"},
    {"empty_element_always", ColumnType::kBoolean, "the same if the variable was set before"},
    {"path_value", ColumnType::kPath,
     "the first absolute path in the value that others can change; else the first one; NULL when there is none"},
    {"path_exists", ColumnType::kBoolean, "1 when that path is there"},
    {"path_changeable_by", ColumnType::kText,
     "why others than root (and the user whose file or unit it is) can change what path_value leads to; NULL when they "
     "cannot"},
    {"file_uid", ColumnType::kInteger, "owner of the file"},
    {"file_mode", ColumnType::kMode, "permission bits of the file"},
    {"file_world_readable", ColumnType::kBoolean,
     "1 when every account can read the file: its permission bits, and those of the folders on the way"},
    {"file_changeable_by", ColumnType::kText,
     "why others than root (and the user whose file it is) can change the file; NULL when they cannot"},
};

class AssignmentRows {
 public:
  explicit AssignmentRows(TableReader& out)
      : out_(out),
        facts_(environment_facts(out.host(), out.shared())),
        exposure_(out.files()),
        wants_paths_(out.wants("path_value") || out.wants("path_exists") || out.wants("path_changeable_by")),
        wants_file_(out.wants("file_uid") || out.wants("file_mode") || out.wants("file_changeable_by") ||
                    out.wants("file_world_readable")) {}

  void add_all() {
    for (const auto& gap : facts_.gaps) out_.gap(gap.file, "*", gap.error);
    for (const auto& assignment : facts_.assignments) add(assignment);
  }

 private:
  void add(const EnvironmentAssignment& one) {
    Row row = out_.row();
    row.set("file", one.file)
        .set("line", one.line)
        .set("scope", one.scope)
        .set("user", one.user)
        .set("unit", one.unit)
        .set("syntax", one.syntax)
        .set("operation", one.operation)
        .set("name", one.name)
        .set("value", one.value)
        .set("is_credential", one.is_credential)
        .set("exported", one.is_exported)
        .set("conditional", one.is_conditional)
        .set("guarded", one.is_guarded)
        .set("effective", one.is_effective);
    if (one.operation == "set") row.set("raw", one.raw);
    set_elements(row, one);
    if (wants_paths_ && !one.is_credential) set_path(row, one);
    if (wants_file_) set_file(row, one);
  }

  static void set_elements(Row& row, const EnvironmentAssignment& one) {
    if (one.has_empty_element) row.set("empty_element", *one.has_empty_element);
    if (one.always_empty_element) row.set("empty_element_always", *one.always_empty_element);
  }

  // The account whose own files may hold what it uses itself.
  std::optional<std::uint32_t> trusted(const EnvironmentAssignment& one) const {
    if (one.owner || !one.unit || one.scope != "unit") return one.owner;
    const Unit* unit = unit_set(out_.host(), out_.shared()).find(*one.unit);
    const auto user = unit == nullptr ? std::string_view() : setting_of(*unit, "Service", "User");
    return user.empty() ? std::nullopt : account_ids(out_.host(), out_.shared()).find(user);
  }

  void set_path(Row& row, const EnvironmentAssignment& one) {
    const auto paths = absolute_paths(one.value);
    if (paths.empty()) return;
    const auto account = trusted(one);
    std::optional<Error> error;
    std::string chosen = paths.front();
    PathExposure::Reason reason;
    for (const auto& path : paths) {
      auto found = exposure_.of(path, account);
      if (!found && !error) error = found.error();
      if (!found || !*found) continue;
      chosen = path;
      reason = *found;
      break;
    }
    row.set("path_value", chosen).set("path_changeable_by", reason);
    if (error && !reason) row.unread("path_changeable_by", *error);
    const auto exists = exposure_.exists(chosen);
    row.set("path_exists", exists);
  }

  void set_file(Row& row, const EnvironmentAssignment& one) {
    const auto known = facts_.files.find(one.file);
    const auto stat = known != facts_.files.end() ? Result<FileStat>(known->second) : out_.files().stat(one.file);
    if (!stat) {
      for (const auto* column : {"file_uid", "file_mode", "file_world_readable", "file_changeable_by"})
        row.unread(column, stat.error());
      return;
    }
    row.set("file_uid", stat->uid).set("file_mode", stat->mode);
    const auto readable = exposure_.is_world_readable(one.file, *stat);
    row.set("file_world_readable", readable);
    const auto reason = exposure_.of_file(one.file, *stat, one.owner);
    row.set("file_changeable_by", reason);
  }

  TableReader& out_;
  const EnvironmentFacts& facts_;
  PathExposure exposure_;
  bool wants_paths_, wants_file_;
};

void read_env_assignments(TableReader& out) { AssignmentRows(out).add_all(); }

}  // namespace

Probe env_assignments_probe() {
  return {{"env_assignments",
           "Environment variables as files set them: session files, shells' start-up files of the system and of homes "
           "in /etc/passwd, units, "
           "environment.d, /etc/default, crontabs. Shell text is not run: the analysis is approximate, sourced files "
           "are not followed "
           "(see shell_settings). sshd SetEnv, sudoers and `systemctl set-environment` are not among them.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_env_assignments};
}

}  // namespace gpuharden
