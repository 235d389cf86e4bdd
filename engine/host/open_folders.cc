// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/open_folders.h"

namespace gpuharden {
namespace {

// Far below the usual limit of 1,024 descriptors a process, some of which other hosts' roots hold.
constexpr std::size_t kMaxHeld = 128;

}  // namespace

Result<int> OpenFolders::get(std::string_view folder, const Open& open) {
  auto held = held_.find(folder);
  if (held == held_.end()) {
    // Looks come folder by folder, so that what was held is seldom asked for again: all of it can go.
    if (held_.size() >= kMaxHeld) held_.clear();
    held = held_.emplace(std::string(folder), open(folder)).first;
  }
  if (!held->second) return held->second.error();
  return held->second->get();
}

}  // namespace gpuharden
