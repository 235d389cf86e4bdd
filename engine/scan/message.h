// SPDX-License-Identifier: GPL-2.0-or-later
// Sentences of rules with a row's values in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/report.h"

namespace gpuharden {

// A value as a sentence shows it; one that is NULL is "unknown".
std::string text_of(const Evidence& evidence);

// Replaces {column} by the row's value, and {column[]} by the items of a JSON list: `a, b`. What is no list
// is shown as it is; a name without a value stays.
std::string fill_message(std::string_view text, const std::vector<Evidence>& cells);

// The names of columns in {braces} of a message or fix argument.
std::vector<std::string> placeholders(std::string_view text);

}  // namespace gpuharden
