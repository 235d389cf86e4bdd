// SPDX-License-Identifier: GPL-2.0-or-later
// Who else than root can change what a path names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/host/files.h"

namespace gpuharden {

// The first component of the path, outermost first and links resolved, that an account other than
// root (and `also_trusted`) can change, with the reason: "/srv/lib is group-writable (0775, gid
// 1004)"; nothing when there is none. A folder with the sticky bit counts as closed when the next
// component is root's. POSIX ACLs that grant write count. An error when a component could not be
// looked at: then nothing is known.
Result<std::optional<std::string>> changeable_by_others(const Files& files, std::string_view path,
                                                        std::optional<std::uint32_t> also_trusted = std::nullopt);

}  // namespace gpuharden
