// SPDX-License-Identifier: GPL-2.0-or-later
// Small values that the kernel shows as files, and what their absence means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/host/host.h"

namespace gpuharden {

// The trimmed text of `path`; nothing when it is not there although `folder` is, so that this
// kernel has no such value. An error when `folder` is missing too or the file cannot be read;
// kNotHeld in an image.
Result<std::optional<std::string>> kernel_value(const Host& host, std::string_view path, std::string_view folder);

// uname's release; where the host has no kernel to ask, what ROOT/proc/sys/kernel/osrelease says.
Result<std::string> running_release(const Host& host);

// A variable of EFI that is one byte, 0 or 1: "SecureBoot", "SetupMode". Nothing without EFI.
Result<std::optional<bool>> efi_flag(const Host& host, std::string_view name);

}  // namespace gpuharden
