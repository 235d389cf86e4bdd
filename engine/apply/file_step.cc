// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/step_kinds.h"
#include "engine/base/line_edit.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_text(const FileState& state) { return state.exists && state.type == FileType::kRegular; }

// The file as others left it, without our edit; nothing where that cannot be told apart.
std::optional<FileState> without_our_edit(const FileStep& step, const FileState& current) {
  if (!step.is_shared || !is_text(step.before) || !is_text(step.after) || !is_text(current)) return std::nullopt;
  auto text = undo_edit(current.bytes, step.before.bytes, step.after.bytes);
  if (!text) return std::nullopt;
  FileState undone = current;
  undone.bytes = std::move(*text);
  undone.modified = {};
  // What we set and nobody changed since goes back as well.
  if (current.mode == step.after.mode) undone.mode = step.before.mode;
  if (current.uid == step.after.uid) undone.uid = step.before.uid;
  if (current.gid == step.after.gid) undone.gid = step.before.gid;
  return undone;
}

}  // namespace

Result<Progress> step_progress(const FileStep& step, Workbench& bench) {
  GH_ASSIGN_OR_RETURN(const FileState current, bench.tree.capture(step.path));
  return progress_of(current, step.before, step.after);
}

Status step_is_allowed(const FileStep& step, Workbench& bench) { return bench.tree.may_change(step.path); }

Status step_forward(const FileStep& step, Workbench& bench) {
  return bench.tree.change(step.path, step.before, step.after, bench.tag);
}

namespace {

// What step_back() brings the path to: the state before, the state as others left it without our edit, or
// the current one where a folder that we made is in use.
Result<FileState> state_to_go_back_to(const FileStep& step, const FileState& current, Workbench& bench) {
  const bool was_made = !step.before.exists && step.after.type == FileType::kDirectory;
  if (was_made && current.exists && !bench.tree.is_empty_folder(step.path)) return current;
  if (progress_of(current, step.before, step.after) != Progress::kForeign) return step.before;
  if (const auto undone = without_our_edit(step, current)) return *undone;
  return Error{ErrorCode::kStale,
               concat({step.path, ": changed by someone else since: ", join(differences(current, step.after), ", ")})};
}

}  // namespace

Status step_may_go_back(const FileStep& step, Workbench& bench) {
  GH_ASSIGN_OR_RETURN(const FileState current, bench.tree.capture(step.path));
  // A folder is looked at while what we put there is still in it.
  if (!step.before.exists && step.after.type == FileType::kDirectory) return {};
  const auto state = state_to_go_back_to(step, current, bench);
  return state ? Status() : Status(state.error());
}

Status step_back(const FileStep& step, Workbench& bench) {
  GH_RETURN_IF_ERROR(bench.tree.clean(step.path, bench.tag));
  GH_ASSIGN_OR_RETURN(const FileState current, bench.tree.capture(step.path));
  GH_ASSIGN_OR_RETURN(const FileState wanted, state_to_go_back_to(step, current, bench));
  return bench.tree.change(step.path, current, wanted, bench.tag);
}

}  // namespace gpuharden
