// SPDX-License-Identifier: GPL-2.0-or-later
// The configuration of the SSH daemon as it would take effect.
#include <algorithm>
#include <array>

#include "checks/ssh/sshd_settings.h"
#include "checks/system/json_list.h"
#include "checks/systemd/command_expansion.h"
#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kDefaultFile = "/etc/ssh/sshd_config";

constexpr Column kColumns[] = {
    {"option", ColumnType::kText,
     "the option in lower case, old names replaced by today's; listenstream for what ssh.socket listens on",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "its words without quotes, one blank between them", ColumnFlag::kNotNull},
    {"words", ColumnType::kText, "the same as a JSON list", ColumnFlag::kNotNull},
    {"match", ColumnType::kText,
     "criteria of the Match block that it stands in, \"all\" for one without a condition; NULL outside"},
    {"match_file", ColumnType::kPath, "where that block begins"},
    {"match_line", ColumnType::kInteger, "line of that file, from 1"},
    {"effective", ColumnType::kBoolean,
     "1 when no other line decides instead: outside of blocks, or for the connections of its block, the first value "
     "counts",
     ColumnFlag::kNotNull},
    {"source", ColumnType::kText, "file, command (-o in the unit), default (nothing sets it) or socket (ssh.socket)",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file with the line; NULL for a default"},
    {"line", ColumnType::kInteger, "line of that file, from 1"},
    {"config", ColumnType::kPath, "the main file of this daemon: /etc/ssh/sshd_config, or what -f names",
     ColumnFlag::kNotNull},
    {"unit", ColumnType::kText, "the unit that runs it; NULL where no unit is known"},
    {"startable", ColumnType::kBoolean, "1 when something would start that unit; NULL where no unit is known"},
};

// One daemon: the files and options that a unit starts sshd with.
struct Daemon {
  std::string config{kDefaultFile};
  std::vector<SshdLine> options;
  std::string file;  // of the command
  std::uint32_t line = 0;
  const Unit* unit = nullptr;
};

bool is_ssh_unit(const Unit& unit) {
  static constexpr std::array<std::string_view, 6> kNames = {"ssh.service",   "sshd.service", "ssh@.service",
                                                             "sshd@.service", "ssh.socket",   "sshd.socket"};
  return std::find(kNames.begin(), kNames.end(), unit.name) != kNames.end();
}

void add_option(char letter, const std::string& value, Daemon& daemon) {
  if (letter == 'f') daemon.config = value;
  if (letter != 'o' && letter != 'p') return;
  for (auto& line : parse_sshd_conf(letter == 'p' ? concat({"Port ", value}) : value)) {
    line.line = daemon.line;
    daemon.options.push_back(std::move(line));
  }
}

// As getopt() reads sshd's options: "-oPort=22", "-o Port=22", "-De", "-Dp22".
void add_arguments(const std::vector<std::string>& words, Daemon& daemon) {
  static constexpr std::string_view kWithValue = "CEbcfghkopu";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("-") || words[i] == "--") break;
    for (std::size_t at = 1; at < words[i].size(); ++at) {
      const char letter = words[i][at];
      if (kWithValue.find(letter) == std::string_view::npos) continue;
      auto value = words[i].substr(at + 1);
      if (value.empty() && i + 1 < words.size()) value = words[++i];
      add_option(letter, value, daemon);
      break;
    }
  }
}

class SshdRows {
 public:
  explicit SshdRows(TableReader& out) : out_(out), units_(unit_set(out.host(), out.shared())) {}

  void read() {
    for (const auto& gap : units_.gaps) out_.gap("*", "*", gap.error);
    const auto daemons = find_daemons();
    for (const auto& daemon : daemons) add(daemon);
    if (daemons.empty()) return;
    for (const auto& unit : units_.units) add_socket(unit, daemons.front());
  }

 private:
  std::vector<Daemon> find_daemons() {
    std::vector<Daemon> out;
    const auto& environments = unit_environments(out_.host(), out_.shared());
    for (const auto& unit : units_.units) {
      if (unit.type != "service" || !unit.alias_of.empty() || unit.is_masked) continue;
      if (!unit.is_startable && !is_ssh_unit(unit)) continue;
      for (const auto* setting : settings_of(unit, "Service", "ExecStart")) {
        auto command = parse_unit_command(setting->value);
        if (command.words.empty() || !command.words[0].ends_with("/sshd")) continue;
        const auto environment = environments.of(unit.name);
        for (const auto& gap : environment.gaps) out_.gap("*", "*", gap.error);
        const auto expanded = expand_command(command, environment);
        for (const auto& name : expanded.unread)
          out_.gap("*", "*", {ErrorCode::kUnsupported, concat({unit.name, ": the value of $", name, " is not known"})});
        add_daemon({std::string(kDefaultFile), {}, setting->source->path, setting->line, &unit}, expanded.words, out);
      }
    }
    if (out.empty() && is_installed()) out.emplace_back();
    return out;
  }

  static void add_daemon(Daemon daemon, const std::vector<std::string>& words, std::vector<Daemon>& out) {
    add_arguments(words, daemon);
    const auto same = std::find_if(out.begin(), out.end(), [&](const Daemon& other) {
      return daemon.options.empty() && other.options.empty() && daemon.config == other.config;
    });
    if (same == out.end()) {
      out.push_back(std::move(daemon));
    } else if (!same->unit->is_startable && daemon.unit->is_startable) {
      *same = std::move(daemon);
    }
  }

  bool is_installed() {
    for (const auto path : {std::string_view("/usr/sbin/sshd"), kDefaultFile}) {
      const auto stat = out_.files().stat(path);
      if (stat) return true;
      if (stat.error().code != ErrorCode::kNotFound) out_.gap(stat.error());
    }
    return false;
  }

  void add(const Daemon& daemon) {
    auto settings = read_sshd_settings(out_.files(), daemon.config, daemon.options);
    for (const auto& error : settings.errors) out_.gap(error);
    for (const auto& setting : settings.settings) add_setting(setting, daemon);
    for (const auto& fallback : sshd_defaults()) {
      const bool is_set = std::any_of(settings.settings.begin(), settings.settings.end(), [&](const SshdSetting& one) {
        return one.option == fallback.option && (one.match.empty() || one.match == "all");
      });
      if (is_set) continue;
      Row row = out_.row();
      row.set("option", fallback.option).set("source", "default").set("effective", true);
      set_words(row, fallback.value);
      set_daemon(row, daemon);
    }
  }

  void add_setting(const SshdSetting& setting, const Daemon& daemon) {
    Row row = out_.row();
    const bool is_command = setting.file.empty();
    row.set("option", setting.option)
        .set("value", join(setting.words, " "))
        .set("words", json_list(setting.words))
        .set("effective", setting.is_effective)
        .set("source", is_command ? "command" : "file")
        .set("file", is_command ? daemon.file : setting.file)
        .set("line", setting.line);
    if (!setting.match.empty())
      row.set("match", setting.match).set("match_file", setting.match_file).set("match_line", setting.match_line);
    set_daemon(row, daemon);
  }

  static void set_words(Row& row, std::string_view value) {
    std::vector<std::string> words;
    for (const auto word : split_words(value)) words.emplace_back(word);
    row.set("value", value).set("words", json_list(words));
  }

  static void set_daemon(Row& row, const Daemon& daemon) {
    row.set("config", daemon.config);
    if (daemon.unit != nullptr) row.set("unit", daemon.unit->name).set("startable", daemon.unit->is_startable);
  }

  void add_socket(const Unit& unit, const Daemon& daemon) {
    if (unit.type != "socket" || !is_ssh_unit(unit) || !unit.alias_of.empty() || unit.is_masked) return;
    for (const auto* setting : settings_of(unit, "Socket", "ListenStream")) {
      Row row = out_.row();
      row.set("option", "listenstream")
          .set("effective", unit.is_startable)
          .set("source", "socket")
          .set("file", setting->source->path)
          .set("line", setting->line)
          .set("config", daemon.config)
          .set("unit", unit.name)
          .set("startable", unit.is_startable);
      set_words(row, setting->value);
    }
  }

  TableReader& out_;
  const UnitSet& units_;
};

void read_sshd_config(TableReader& out) { SshdRows(out).read(); }

}  // namespace

Probe sshd_config_probe() {
  return {
      {"sshd_config",
       "The SSH daemon's options, one row a line: sshd_config with its includes and Match blocks, -o options of the "
       "unit, OpenSSH's defaults for what is not set, and what ssh.socket listens on.",
       kColumns, TableCost::kFast, TableLane::kServices},
      &read_sshd_config};
}

}  // namespace gpuharden
