// SPDX-License-Identifier: GPL-2.0-or-later
// The kernels as this build compiled them, embedded as bytes.
#pragma once

#include <span>

namespace gpuharden::kernels {

enum class CodeKind : unsigned char { kFatBinary, kPtx, kAmd };

struct CodeObject {
  CodeKind kind;
  const char* architecture;  // sm_80 for PTX, gfx90a; of a fat binary all that it holds, separated by blanks
  std::span<const unsigned char> bytes;  // PTX ends with a zero
};

// May be empty: then no device can be examined, and the answer says so.
std::span<const CodeObject> code_objects();

}  // namespace gpuharden::kernels
