// SPDX-License-Identifier: GPL-2.0-or-later
// Where ollama will listen, as its unit is configured.
#include "checks/environment/ollama_host.h"
#include "checks/environment/shell_assignments.h"
#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"unit", ColumnType::kText, "a unit that runs ollama", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"state", ColumnType::kText, "enabled, disabled, masked, … as in systemd_units", ColumnFlag::kNotNull},
    {"host", ColumnType::kText, "the effective OLLAMA_HOST; NULL where nothing sets it (127.0.0.1:11434)"},
    {"address", ColumnType::kText, "the address or name it listens on; empty means every address",
     ColumnFlag::kNotNull},
    {"port", ColumnType::kInteger, "TCP port", ColumnFlag::kNotNull},
    {"exposure", ColumnType::kText,
     "loopback, all, specific (one address that is not loopback) or unresolved (a host name)", ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "what sets it: unit, environment-file, manager, command or default",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file that sets it; the unit file where nothing does"},
    {"line", ColumnType::kInteger, "line of that file, from 1; NULL where nothing sets it"},
};

struct HostSetting {
  std::string value, source, file;
  std::uint32_t line = 0;
};

bool is_ollama(std::string_view word) { return word.substr(word.rfind('/') + 1) == "ollama"; }

// The text that a shell in the command runs: "sh -c 'OLLAMA_HOST=… ollama serve'".
std::string shell_text(const UnitCommand& command) {
  for (std::size_t i = 1; i + 1 < command.words.size(); ++i) {
    const auto& word = command.words[i];
    if (word.starts_with('-') && !word.starts_with("--") && word.ends_with('c')) return command.words[i + 1];
  }
  return "";
}

bool runs_ollama(const Unit& unit) {
  if (unit.type != "service") return false;
  for (const auto& command : commands_of(unit, "ExecStart")) {
    for (const auto& word : command.words) {
      if (is_ollama(word)) return true;
    }
    const std::string shell = shell_text(command);
    for (const auto word : split_words(shell)) {
      if (is_ollama(word)) return true;
    }
  }
  return false;
}

// What the command itself sets wins over the unit's environment.
std::optional<std::string> host_in_command(const UnitCommand& command) {
  std::optional<std::string> host;
  for (const auto& word : command.words) {
    if (word.starts_with("OLLAMA_HOST=")) host = word.substr(12);
  }
  for (const auto& item : parse_shell(shell_text(command)).items) {
    if (item.kind == ShellItemKind::kAssignment && item.name == "OLLAMA_HOST") host = item.value;
  }
  return host;
}

std::optional<HostSetting> host_setting(const Unit& unit, const UnitEnvironment& environment) {
  for (const auto* setting : settings_of(unit, "Service", "ExecStart")) {
    const auto host = host_in_command(parse_unit_command(setting->value));
    if (host) return HostSetting{*host, "command", setting->source->path, setting->line};
  }
  const auto* variable = environment.find("OLLAMA_HOST");
  // A value that PassEnvironment= passes is the manager's: that of system.conf, if there is one.
  if (variable != nullptr && variable->kind == UnitVariableKind::kPass) return std::nullopt;
  if (variable == nullptr) return std::nullopt;
  const auto* source = variable->kind == UnitVariableKind::kFile      ? "environment-file"
                       : variable->kind == UnitVariableKind::kDefault ? "manager"
                                                                      : "unit";
  return HostSetting{variable->value, source, variable->file, variable->line};
}

void add_unit(TableReader& out, const Unit& unit, const UnitEnvironments& environments) {
  const auto environment = environments.of(unit.name);
  for (const auto& gap : environment.gaps) out.gap(unit.name, "*", gap.error);
  const auto setting = host_setting(unit, environment);
  const auto address = parse_ollama_host(setting ? setting->value : "");
  Row row = out.row();
  row.set("unit", unit.name)
      .set("state", unit.state)
      .set("address", address.host)
      .set("port", std::uint32_t{address.port})
      .set("exposure", to_string(address.exposure))
      .set("source", setting ? setting->source : "default")
      .set("file", setting ? setting->file : unit.fragment);
  if (setting) row.set("host", setting->value).set("line", setting->line);
  const auto* passed = environment.find("OLLAMA_HOST");
  if (!setting && passed != nullptr) {
    row.unread("exposure", {ErrorCode::kUnsupported,
                            concat({passed->file, ": PassEnvironment=OLLAMA_HOST takes a value that no file holds"})});
  }
}

void read_ollama_config(TableReader& out) {
  const UnitSet& units = unit_set(out.host(), out.shared());
  for (const auto& gap : units.gaps) out.gap(gap.unit, "*", gap.error);
  const auto& environments = unit_environments(out.host(), out.shared());
  for (const auto& gap : environments.gaps) out.gap("*", "*", gap.error);
  for (const auto& unit : units.units) {
    if (runs_ollama(unit)) add_unit(out, unit, environments);
  }
}

}  // namespace

Probe ollama_config_probe() {
  return {{"ollama_config",
           "The address on which each unit that runs ollama will listen: OLLAMA_HOST with systemd's precedence and "
           "ollama's own grammar. "
           "`systemctl set-environment` is not seen.",
           kColumns, TableCost::kFast, TableLane::kServices},
          &read_ollama_config};
}

}  // namespace gpuharden
