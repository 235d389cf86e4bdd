// SPDX-License-Identifier: GPL-2.0-or-later
// Takes credentials out of command lines and environments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// Whether a variable or option of this name usually holds a credential: HF_TOKEN, --api-key, password.
bool names_credential(std::string_view name);

// The arguments with what follows --token, --api-key=, PASSWORD=, … and passwords in URLs replaced
// by "<redacted>".
std::vector<std::string> redact_arguments(const std::vector<std::string>& arguments);

// A variable's value without its credential.
std::string redact_value(std::string_view name, std::string_view value);

}  // namespace gpuharden
