// SPDX-License-Identifier: GPL-2.0-or-later
// Why the worker could not go on, in the words of its protocol.
#pragma once

#include <optional>
#include <string>

namespace gpuharden::kernels {

struct Problem {
  std::string reason;  // one word of docs/gpu.md: no-driver, stub-library, no-device, busy, out-of-memory, …
  std::string call;    // the vendor's function; empty when none was called
  int code = 0;        // what it returned
  std::string detail;  // the vendor's name of the code, or a sentence
};
using Failure = std::optional<Problem>;

}  // namespace gpuharden::kernels

// Leaves the function with the problem of an expression, if there is one.
#define GH_TRY(expression) \
  if (auto gh_failure = (expression); gh_failure) return gh_failure
