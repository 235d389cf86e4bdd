// SPDX-License-Identifier: GPL-2.0-or-later
// Programs that load rules of a packet filter at boot, by their own files.
#include "checks/firewall/nft_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"manager", ColumnType::kText, "nftables, ufw, firewalld or netfilter-persistent",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"unit", ColumnType::kText, "its systemd unit", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "the file that says so", ColumnFlag::kNotNull},
    {"is_configured", ColumnType::kBoolean,
     "whether it has rules to load: a table in nftables.conf, ENABLED=yes in ufw.conf, saved rules"},
    {"flushes", ColumnType::kBoolean,
     "whether a reload takes away rules of others: \"flush ruleset\", FlushAllOnReload (the default is yes)"},
};

struct Manager {
  std::string_view name, unit, file;
};

constexpr Manager kManagers[] = {{"nftables", "nftables.service", "/etc/nftables.conf"},
                                 {"ufw", "ufw.service", "/etc/ufw/ufw.conf"},
                                 {"firewalld", "firewalld.service", "/etc/firewalld/firewalld.conf"},
                                 {"netfilter-persistent", "netfilter-persistent.service", "/etc/iptables/rules.v4"}};

// The last NAME=value of a file of such lines.
std::string setting(std::string_view text, std::string_view name) {
  std::string value;
  for (const auto whole : split(text, '\n')) {
    const auto line = trim(whole);
    const auto equals = line.find('=');
    if (equals == std::string_view::npos || line.starts_with('#') || trim(line.substr(0, equals)) != name) continue;
    value = to_lower(trim(line.substr(equals + 1)));
  }
  return value;
}

void set_facts(Row& row, const Manager& manager, const std::string& text) {
  if (manager.name == "nftables") {
    const auto conf = parse_nft_conf(text);
    row.set("is_configured", !conf.tables.empty() || !conf.includes.empty()).set("flushes", conf.flushes);
  } else if (manager.name == "ufw") {
    row.set("is_configured", setting(text, "ENABLED") == "yes").set("flushes", false);
  } else if (manager.name == "firewalld") {
    row.set("is_configured", true).set("flushes", setting(text, "FlushAllOnReload") != "no");
  } else {
    row.set("is_configured", text.find("\n-A ") != std::string::npos || text.find(" DROP ") != std::string::npos)
        .set("flushes", false);
  }
}

void read_firewall_managers(TableReader& out) {
  for (const auto& manager : kManagers) {
    const auto file = out.files().read(manager.file);
    if (!file && file.error().code == ErrorCode::kNotFound) continue;
    if (!file) {
      out.gap(manager.name, "*", file.error());
      continue;
    }
    auto row = out.row();
    row.set("manager", manager.name).set("unit", manager.unit).set("file", manager.file);
    if (file->truncated) {
      const Error error{ErrorCode::kTooLarge, concat({manager.file, ": too large, its end was not read"})};
      row.unread("is_configured", error).unread("flushes", error);
    } else {
      set_facts(row, manager, file->bytes);
    }
  }
}

}  // namespace

Probe firewall_managers_probe() {
  return {
      {"firewall_managers",
       "Programs that keep rules of a packet filter in files: nftables.service, ufw, firewalld, iptables-persistent. "
       "Whether their units start at boot is in systemd_units.",
       kColumns},
      &read_firewall_managers};
}

}  // namespace gpuharden
