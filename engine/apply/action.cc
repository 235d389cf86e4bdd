// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 5> kRisks = {"none", "restart", "reboot", "gpu-loss", "lockout"};

}  // namespace

std::string_view to_string(Risk risk) { return kRisks.at(static_cast<std::size_t>(risk)); }

std::optional<Risk> parse_risk(std::string_view word) {
  const auto found = std::find(kRisks.begin(), kRisks.end(), word);
  if (found == kRisks.end()) return std::nullopt;
  return static_cast<Risk>(found - kRisks.begin());
}

std::string FixRequest::argument(const std::string& name) const {
  const auto found = args.find(name);
  return found == args.end() ? std::string() : found->second;
}

Status Draft::edit(std::string_view path, const Edit& edit, bool is_shared) {
  GH_ASSIGN_OR_RETURN(FileState file, state(path));
  if (!file.exists) file = new_file({});
  if (file.type != FileType::kRegular)
    return Error{ErrorCode::kNotRegular, concat({path, ": is a ", to_string(file.type)})};
  GH_ASSIGN_OR_RETURN(file.bytes, edit(file.bytes));
  file.modified = {};
  return put(path, std::move(file), is_shared);
}

const Action* find_action(std::string_view name) {
  const auto& actions = all_actions();
  const auto found = std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.name == name; });
  return found == actions.end() ? nullptr : &*found;
}

}  // namespace gpuharden
