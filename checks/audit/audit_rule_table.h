// SPDX-License-Identifier: GPL-2.0-or-later
// Audit rules as rows: the kernel's and the next boot's are tables of the same columns.
#pragma once

#include <optional>
#include <vector>

#include "checks/audit/audit_facts.h"
#include "engine/scan/probe.h"

namespace gpuharden {

constexpr Column kAuditRuleColumns[] = {
    {"position", ColumnType::kInteger, "from 1, in the order of evaluation", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "file of /etc/audit; NULL for the kernel's"},
    {"line", ColumnType::kInteger, "line in that file"},
    {"text", ColumnType::kText, "the line as it stands; the kernel's as auditctl -l shows it",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"list", ColumnType::kText, "exit, task, user, exclude, filesystem or io_uring; NULL for a line that is refused"},
    {"action", ColumnType::kText, "always or never; NULL for a line that is refused"},
    {"path", ColumnType::kPath, "what -w, path= or dir= names; exe= where there is none of these; NULL without"},
    {"real_path", ColumnType::kPath, "the same without links in its folder; the last name is not followed"},
    {"is_folder", ColumnType::kBoolean, "1 for dir= and for -w of a folder: all that lies below counts"},
    {"perms", ColumnType::kText, "kinds of access, of r w x a in this order; NULL without perm="},
    {"arch", ColumnType::kText, "b64, b32 or a number; NULL for all programs"},
    {"all_syscalls", ColumnType::kBoolean, "1 when it holds for every system call"},
    {"syscalls", ColumnType::kText, "JSON list of the calls that it names; empty for all"},
    {"key", ColumnType::kText, "the key, several of them parted by commas; a trailing carriage return is part of it"},
    {"filters", ColumnType::kText,
     "JSON list of the conditions that leave events out: all but path, perm, arch=, key and success=1",
     ColumnFlag::kNotNull},
    {"effective", ColumnType::kBoolean, "0 when it records nothing, for the reason in `problem`"},
    {"problem", ColumnType::kText,
     "syntax (auditctl refuses it), no-folder (the kernel refuses it), duplicate, unreached (auditctl stops before "
     "it), "
     "locked (after -e 2), deleted (by a later -D), link (the link is watched, not what it leads to), shadowed (by an "
     "earlier never), no-task (never,task), excluded (records are dropped); NULL for none"},
    {"reason", ColumnType::kText, "the sentence for it"},
    {"in_other", ColumnType::kBoolean,
     "of a boot rule whether the kernel holds it, of a kernel's whether the boot loads it; calls are compared where -S "
     "names them"},
};

// One row for each rule. `in_other` is by place in the set; `other_error` says why the other set is not known.
void write_audit_rules(TableReader& out, const AuditRuleSet& set, std::uint32_t machine,
                       const std::vector<bool>& in_other, const std::optional<Error>& other_error);

}  // namespace gpuharden
