// SPDX-License-Identifier: GPL-2.0-or-later
// Takes credentials out of command lines, environments and settings: they are never stored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// Whether a variable or option of this name usually holds a credential: HF_TOKEN, --api-key,
// password. Not MAX_TOKENS, --tokenizer, TOKEN_FILE.
bool names_credential(std::string_view name);
// Whether the text itself is one: a URL with a password in it, or a token of a well-known form.
bool holds_credential(std::string_view value);

// "<redacted 12 bytes>".
std::string redacted(std::string_view value);
// A variable's value without its credential: all of it where the name says so, else the password of
// a URL, or a token of a well-known form.
std::string redact_value(std::string_view name, std::string_view value);
// The words with credentials replaced: the value of NAME=value with a credential's name, the word
// after (or behind the '=' of) an option such as --api-key, and what holds_credential() finds.
std::vector<std::string> redact_words(const std::vector<std::string>& words);

// The words in one line, those with blanks in double quotes.
std::string join_words(const std::vector<std::string>& words);
// `text` as it is where its words hold no credential; else the redacted words in one line.
std::string redact_text(std::string_view text, const std::vector<std::string>& words);

}  // namespace gpuharden
