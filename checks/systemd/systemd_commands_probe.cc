// SPDX-License-Identifier: GPL-2.0-or-later
// The programs that units run, and who can change them.
#include <algorithm>
#include <array>

#include "checks/environment/path_exposure.h"
#include "checks/system/json_list.h"
#include "checks/system/redaction.h"
#include "checks/systemd/account_ids.h"
#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"unit", ColumnType::kText, "name of the unit", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"setting", ColumnType::kText,
     "ExecStart, ExecStartPre, ExecStartPost, ExecCondition, ExecReload, ExecStop or ExecStopPost",
     ColumnFlag::kNotNull},
    {"command", ColumnType::kText, "the command line without its prefix characters, credentials redacted",
     ColumnFlag::kNotNull},
    {"arguments", ColumnType::kText, "JSON list of its words, the program first, credentials redacted",
     ColumnFlag::kNotNull},
    {"runs_as", ColumnType::kText,
     "User= of the unit; root where there is none, or with the prefix '+' or '!'; NULL for a dynamic user"},
    {"path", ColumnType::kPath, "the program; NULL for a bare name that is in no folder of systemd's search path"},
    {"present", ColumnType::kBoolean, "1 when the program is there"},
    {"changeable_by", ColumnType::kText,
     "why others than root and the user that runs it can change the program (or put one there); NULL when they cannot"},
    {"script", ColumnType::kPath, "the script that the program, an interpreter, is given; NULL for others"},
    {"script_changeable_by", ColumnType::kText, "the same for the script"},
    {"file", ColumnType::kPath, "the fragment or drop-in that sets it", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of that file, from 1", ColumnFlag::kNotNull},
};
constexpr std::array<std::string_view, 7> kSettings = {"ExecStart",  "ExecStartPre", "ExecStartPost", "ExecCondition",
                                                       "ExecReload", "ExecStop",     "ExecStopPost"};

class CommandRows {
 public:
  explicit CommandRows(TableReader& out)
      : out_(out), exposure_(out.files()), accounts_(account_ids(out.host(), out.shared())) {}

  void add(const Unit& unit, const UnitSetting& setting) {
    const auto command = parse_unit_command(setting.value);
    const auto user = runs_as(unit, command);
    const auto trusted = user ? accounts_.find(*user) : std::nullopt;
    const auto path = executable_of(out_.files(), command);
    const auto script = script_of(command);
    Row row = out_.row();
    row.set("unit", unit.name)
        .set("setting", setting.name)
        .set("runs_as", user)
        .set("path", path)
        .set("script", script)
        .set("file", setting.source->path)
        .set("line", setting.line);
    set_words(row, setting, command);
    if (path) set_path(row, *path, trusted);
    if (script && out_.wants("script_changeable_by")) row.set("script_changeable_by", exposure_.of(*script, trusted));
  }

 private:
  static std::optional<std::string> runs_as(const Unit& unit, const UnitCommand& command) {
    const bool as_root = command.flags.find_first_of("+!") != std::string::npos;
    const auto user = setting_of(unit, "Service", "User");
    if (as_root) return "root";
    if (user.empty() && is_true_word(setting_of(unit, "Service", "DynamicUser"))) return std::nullopt;
    return user.empty() ? "root" : std::string(user);
  }

  static void set_words(Row& row, const UnitSetting& setting, const UnitCommand& command) {
    const auto begin = std::min(setting.value.find_first_not_of("@-:+!|"), setting.value.size());
    row.set("command", redact_text(std::string_view(setting.value).substr(begin), command.words))
        .set("arguments", json_list(redact_words(command.words)));
  }

  void set_path(Row& row, const std::string& path, std::optional<std::uint32_t> trusted) {
    const auto exists = exposure_.exists(path);
    row.set("present", exists);
    if (out_.wants("changeable_by")) row.set("changeable_by", exposure_.of(path, trusted));
  }

  TableReader& out_;
  PathExposure exposure_;
  const AccountIds& accounts_;
};

void read_systemd_commands(TableReader& out) {
  const UnitSet& units = unit_set(out.host(), out.shared());
  for (const auto& gap : units.gaps) out.gap(gap.unit, "*", gap.error);
  CommandRows rows(out);
  for (const auto& unit : units.units) {
    for (const auto& setting : unit.settings) {
      const bool is_command = std::find(kSettings.begin(), kSettings.end(), setting.name) != kSettings.end();
      if (is_command && !setting.value.empty()) rows.add(unit, setting);
    }
  }
}

}  // namespace

Probe systemd_commands_probe() {
  return {{"systemd_commands",
           "The command lines of services after merging, one row each. A program is judged by its path and by every "
           "folder and link on the way; "
           "RootDirectory= and RootImage= are not followed.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_systemd_commands};
}

}  // namespace gpuharden
