// SPDX-License-Identifier: GPL-2.0-or-later
// The value of a shell word, as far as it is constant.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace gpuharden {

using ShellVariables = std::unordered_map<std::string, std::string>;

// Quotes removed, known variables put in, "~/" at the start or behind ':' replaced by HOME. What is
// not known stays as "$NAME", and counts as set in ${NAME:+…} and ${NAME:-…}; a command
// substitution becomes "$(...)". `unset` names a variable that counts as not set, and is empty.
// At most 2 KiB more than the word are made of it.
std::string expand_shell_word(std::string_view word, const ShellVariables& known, std::string_view unset = {});

// The word without quotes, nothing expanded.
std::string unquote_shell_word(std::string_view word);

// Whether the word refers to the variable: $NAME or ${NAME…}.
bool refers_to(std::string_view word, std::string_view name);

}  // namespace gpuharden
