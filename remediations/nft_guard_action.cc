// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "engine/apply/action.h"
#include "engine/base/text.h"
#include "remediations/nft_guard.h"
#include "remediations/ssh_ports.h"

namespace gpuharden {
namespace {

// A bridge that no network card is part of: containers talk to the host through it.
bool is_of_containers(const Files& files, const std::string& interface) {
  const auto members = files.list(concat({"/sys/class/net/", interface, "/brif"}));
  if (!members) return false;
  return std::none_of(members->begin(), members->end(), [&](const DirectoryEntry& member) {
    return files.stat(concat({"/sys/class/net/", member.name, "/device"})).has_value();
  });
}

std::vector<std::string> container_bridges(const Files& files) {
  std::vector<std::string> names;
  const auto interfaces = files.list("/sys/class/net");
  if (!interfaces) return names;
  for (const auto& entry : *interfaces) {
    if (is_of_containers(files, entry.name)) names.push_back(entry.name);
  }
  return names;
}

// What an earlier run guards stays guarded.
std::vector<std::string> guarded_before(Draft& draft) {
  const auto file = draft.host().files().read(kGuardFile);
  if (!file) return {};
  const std::string_view text = file->bytes;
  const auto set = text.find("set guarded {");
  const auto open = set == std::string_view::npos ? set : text.find("elements = {", set);
  const auto close = open == std::string_view::npos ? open : text.find('}', open);
  if (close == std::string_view::npos) return {};
  std::vector<std::string> ports;
  const auto list = text.substr(open + 12, close - open - 12);
  for (const auto port : split(list, ',')) ports.emplace_back(trim(port));
  return ports;
}

Status put_unit(Draft& draft) {
  GH_RETURN_IF_ERROR(draft.put(kGuardUnitFile, new_file(guard_unit())));
  for (const auto link : kGuardUnitLinks) {
    GH_RETURN_IF_ERROR(draft.put(concat({"/etc/systemd/system/", link}), new_link(std::string(kGuardUnitFile))));
  }
  draft.reload_units();
  return {};
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto port = parse_unsigned(request.argument("port"));
  if (!port || *port == 0 || *port > 65535) return Error{ErrorCode::kMalformed, "not a port"};
  if (ssh_ports(draft.host(), draft.shared()).contains(static_cast<std::uint16_t>(*port)))
    return Error{ErrorCode::kUnsupported,
                 concat({"port ", request.argument("port"), " is one of SSH's: never guarded"})};
  if (!draft.host().files().stat(kGuardLoader))
    return Error{ErrorCode::kUnsupported, "nft is not installed (package nftables)"};
  GuardPlan guard;
  for (const auto& before : guarded_before(draft)) draft.gather("guarded ports", before);
  for (const auto& text : draft.gather("guarded ports", std::to_string(*port)))
    guard.ports.push_back(static_cast<std::uint16_t>(parse_unsigned(text).value_or(0)));
  guard.bridges = container_bridges(draft.host().files());
  draft.risk(Risk::kLockout, concat({"port ", request.argument("port"),
                                     " answers this host and its containers only: other clients lose it"}));
  GH_ASSIGN_OR_RETURN(const std::string table, guard_table(guard));
  GH_RETURN_IF_ERROR(draft.put(kGuardFile, new_file(guard_file(table))));
  GH_RETURN_IF_ERROR(put_unit(draft));
  return draft.load_table(table);
}

}  // namespace

Action nft_guard_action() {
  return {"nft_guard",
          "Keeps strangers from a TCP port by a table of gpuharden's own, now and after each boot",
          {{"port", "the port"}},
          &plan};
}

}  // namespace gpuharden
