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

// The words after which EFI variables are named.
constexpr std::string_view kGlobalVariable = "8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr std::string_view kShimVariable = "605dab50-e046-4300-abb6-3dd810dd8b23";

// A variable of EFI that is one byte, 0 or 1: "SecureBoot", "SetupMode". Nothing without EFI; false
// where the firmware has variables and not this one.
Result<std::optional<bool>> efi_flag(const Host& host, std::string_view name, std::string_view owner = kGlobalVariable);

// Whether the machine was started by EFI.
Result<bool> was_started_by_efi(const Host& host);

// none, integrity or confidentiality; nothing when the kernel has no lockdown.
Result<std::optional<std::string>> lockdown_mode(const Host& host);

}  // namespace gpuharden
