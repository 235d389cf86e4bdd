// SPDX-License-Identifier: GPL-2.0-or-later
// The signature that is appended to a kernel module.
#pragma once

#include <optional>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

struct ModuleSignature {
  std::size_t size = 0;  // of the PKCS#7 message, bytes
};

// Looks at the end of a module that is not compressed (any more). Nothing when there is no trailer;
// kMalformed when there is one and what it announces does not fit: such a module does not load.
Result<std::optional<ModuleSignature>> find_module_signature(std::string_view module);

}  // namespace gpuharden
