// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "engine/apply/group_line.h"
#include "engine/apply/step_kinds.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

Error gone(const GroupStep& step, const MemberPlace& place) {
  return {ErrorCode::kStale, concat({place.file, ": there is no group ", step.group, " any more"})};
}

// The file with the member in or out; the same state where nothing is to change.
Result<FileState> with_member(const GroupStep& step, const MemberPlace& place, bool wanted, const FileState& file) {
  const auto line = find_group(file.bytes, step.group);
  if (!line) return gone(step, place);
  std::vector<std::string> members = line->members;
  const auto found = std::find(members.begin(), members.end(), step.user);
  if ((found != members.end()) == wanted) return file;
  if (wanted) {
    const auto at = std::min(place.index, members.size());
    members.insert(members.begin() + static_cast<std::ptrdiff_t>(at), step.user);
  } else {
    std::erase(members, step.user);
  }
  FileState changed = file;
  changed.bytes.replace(line->start, line->length, join(members, ","));
  const bool is_as_planned_on = digest_of({changed.bytes}) == place.digest;
  changed.modified = is_as_planned_on ? place.modified : FileTime();
  return changed;
}

Status set_member(const GroupStep& step, Workbench& bench, bool wanted) {
  for (const auto& place : step.places) {
    GH_RETURN_IF_ERROR(bench.tree.clean(place.file, bench.tag));
    GH_ASSIGN_OR_RETURN(const FileState current, bench.tree.capture(place.file));
    GH_ASSIGN_OR_RETURN(const FileState changed, with_member(step, place, wanted, current));
    GH_RETURN_IF_ERROR(bench.tree.change(place.file, current, changed, bench.tag));
  }
  return {};
}

}  // namespace

Result<Progress> step_progress(const GroupStep& step, Workbench& bench) {
  std::size_t still_in = 0;
  for (const auto& place : step.places) {
    GH_ASSIGN_OR_RETURN(const FileState file, bench.tree.capture(place.file));
    const auto line = find_group(file.bytes, step.group);
    if (!line) return Progress::kForeign;
    if (std::find(line->members.begin(), line->members.end(), step.user) != line->members.end()) ++still_in;
  }
  if (still_in == step.places.size()) return Progress::kBefore;
  return still_in == 0 ? Progress::kAfter : Progress::kPartly;
}

Status step_is_allowed(const GroupStep& step, Workbench& bench) {
  for (const auto& place : step.places) GH_RETURN_IF_ERROR(bench.tree.may_change(place.file));
  return {};
}

Status step_forward(const GroupStep& step, Workbench& bench) { return set_member(step, bench, false); }
Status step_may_go_back(const GroupStep& step, Workbench& bench) {
  for (const auto& place : step.places) {
    GH_ASSIGN_OR_RETURN(const FileState file, bench.tree.capture(place.file));
    if (!find_group(file.bytes, step.group)) return gone(step, place);
  }
  return {};
}
Status step_back(const GroupStep& step, Workbench& bench) { return set_member(step, bench, true); }

}  // namespace gpuharden
