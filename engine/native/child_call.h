// SPDX-License-Identifier: GPL-2.0-or-later
// Work that a library does in a process of its own: whatever it makes of the environment, of its namespaces or of its
// memory ends with that process, and it cannot hang the caller.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// What `work` returns, with an empty environment. kTimeout when it does not end in time, kLibrary when the process
// dies; it is killed then, and with the caller. `what` begins these messages. The answer has at most kMaxChildAnswer
// bytes. Not for programs with threads: only the calling one lives on in the child.
Result<std::string> call_in_child(std::string_view what, std::chrono::milliseconds patience,
                                  const std::function<Result<std::string>()>& work);
constexpr std::size_t kMaxChildAnswer = std::size_t{64} << 20U;

}  // namespace gpuharden
