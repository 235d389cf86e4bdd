// SPDX-License-Identifier: GPL-2.0-or-later
// Whether a private key is protected, told by its beginning.
#pragma once

#include <optional>
#include <string_view>

namespace gpuharden {

// PEM and DER (PKCS#1, PKCS#8, SEC1); nothing for what is none of these.
std::optional<bool> is_encrypted_key(std::string_view start);

}  // namespace gpuharden
