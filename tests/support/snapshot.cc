// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/snapshot.h"

#include <filesystem>
#include <stdexcept>

#include "engine/apply/journal.h"
#include "engine/base/text.h"
#include "engine/host/tree_writer.h"

namespace gpuharden::test {
namespace fs = std::filesystem;

Snapshot snapshot_of(const std::string& root) {
  const auto tree = TreeWriter::open(root, system_write_calls());
  if (!tree) throw std::runtime_error(tree.error().message);
  Snapshot snapshot;
  const std::string state_folder = root + std::string(Journal::kFolder);
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator(); ++it) {
    if (it->path() == state_folder) {
      it.disable_recursion_pending();
      continue;
    }
    const std::string path = it->path().string().substr(root.size());
    auto state = (*tree)->capture(path);
    if (!state) throw std::runtime_error(state.error().message);
    if (state->type == FileType::kDirectory) state->modified = {};
    snapshot[path] = std::move(state).value();
  }
  return snapshot;
}

std::string difference(const Snapshot& found, const Snapshot& expected) {
  std::string lines;
  for (const auto& [path, state] : expected) {
    const auto other = found.find(path);
    if (other == found.end()) {
      lines += path + ": is gone\n";
    } else if (other->second != state) {
      lines += concat({path, ": ", join(differences(other->second, state), ", "),
                       other->second.modified == state.modified ? "" : ", time", "\n"});
    }
  }
  for (const auto& [path, state] : found) {
    if (!expected.contains(path)) lines += path + ": is new\n";
  }
  return lines;
}

}  // namespace gpuharden::test
