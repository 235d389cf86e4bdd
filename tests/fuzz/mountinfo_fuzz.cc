// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/PID/mountinfo: mount points are named by users.
#include "engine/host/mounts.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gpuharden::test::require;
  const auto text = gpuharden::test::text_of(data, size);
  auto table = gpuharden::MountTable::parse(text);
  for (const auto& mount : table.mounts()) {
    require(!mount.point.empty() && mount.point[0] == '/');
    require(table.at(mount.point) != nullptr);
    require(table.covering(mount.point + "/below") != nullptr);
    // What is not known to be local is never entered, whatever it is called.
    const bool closed = !gpuharden::is_local_file_system(mount.fs_type) && mount.point != "/";
    if (closed && mount.point.back() != '/') require(table.barrier(mount.point) != nullptr);
  }
  const auto below = gpuharden::MountTable::parse(text, "/srv/image");
  for (const auto& mount : below.mounts()) require(below.at(mount.point) != nullptr);
  table.add_barriers(below);
  return 0;
}
