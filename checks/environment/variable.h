// SPDX-License-Identifier: GPL-2.0-or-later
// What is known about environment variables by name, and about the paths in their values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

// Names like *TOKEN*, *API_KEY*, *SECRET*, *PASSWORD*: their values are never stored.
bool is_credential_name(std::string_view name);
// A URL with a password in it: http://user:password@proxy/.
bool holds_url_password(std::string_view value);
// "<redacted 12 bytes>".
std::string redacted(std::string_view value);

// The words with credentials replaced: the value of NAME=value with a credential's name, the word
// after (or behind the '=' of) an option such as --api-key, a URL with a password.
std::vector<std::string> redact_words(const std::vector<std::string>& words);
// The words in one line, those with blanks in double quotes.
std::string join_words(const std::vector<std::string>& words);
// `text` as it is where its words hold no credential; else the redacted words in one line.
std::string redact_text(std::string_view text, const std::vector<std::string>& words);

// Variables whose value is a list of folders (or of libraries) separated by ':'.
bool is_path_list(std::string_view name);

// Whether a path list has an empty, "." or relative element: the current folder is then searched.
// In LD_PRELOAD and LD_AUDIT empty elements are harmless and names without '/' are looked up.
bool has_current_folder_element(std::string_view name, std::string_view value);

// The absolute paths in a value: elements between ':', ';', ',' and blanks, also behind a '='.
std::vector<std::string> absolute_paths(std::string_view value);

// "022", "0022" or "u=rwx,g=rx,o=" as the umask it sets; nothing when it is no mode.
std::optional<std::uint32_t> parse_umask(std::string_view text);

}  // namespace gpuharden
