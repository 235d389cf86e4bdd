// SPDX-License-Identifier: GPL-2.0-or-later
// Locale-free work on text. Nothing here fails; nothing stores a view.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

std::string concat(std::initializer_list<std::string_view> parts);

// Without leading and trailing ASCII white space.
std::string_view trim(std::string_view text);

// The parts between separators; empty parts are kept: split("a,,b", ',') has three.
std::vector<std::string_view> split(std::string_view text, char separator);

// The runs of non-white-space characters.
std::vector<std::string_view> split_words(std::string_view text);

// Views into a string that is gone at the end of the statement: `for (auto part : split(make_text(), ','))`.
template <typename Text>
requires std::same_as<Text, std::string> std::vector<std::string_view> split(Text&& text, char separator)
= delete;
template <typename Text>
requires std::same_as<Text, std::string> std::vector<std::string_view> split_words(Text&& text)
= delete;

// Of a path: "/etc" for "/etc/group", "/" for "/etc". Into the given text.
std::string_view folder_of(std::string_view path);

// Appends what is not in the list yet.
void add_once(std::vector<std::string>& list, std::string_view text);

std::string join(const std::vector<std::string>& parts, std::string_view separator);

// ASCII only.
std::string to_lower(std::string_view text);
bool equals_ignore_case(std::string_view a, std::string_view b);

// The whole text as a number of that base, or nothing; a sign, blanks or trailing text are refused.
std::optional<std::uint64_t> parse_unsigned(std::string_view text, int base = 10);
// As C's strtol with base 0 reads it: 0x… hexadecimal, 0… octal, else decimal. A leading '-' is allowed.
std::optional<std::int64_t> parse_c_integer(std::string_view text);

// "0660" for 0660; as users write modes.
std::string format_mode(unsigned mode);

// Safe to print on a terminal and in one line: control bytes become \xNN, \n and \t too,
// invalid UTF-8 becomes \xNN. Valid UTF-8 stays, except bidirectional and zero-width controls.
std::string escape_for_terminal(std::string_view text);

// Valid UTF-8: each invalid byte becomes U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

std::string to_hex(std::string_view bytes);

// Shell-style glob over one path component or a whole text: * ? [..]; '*' matches '/' only when
// `star_matches_slash`. Linear space, no recursion.
bool glob_match(std::string_view pattern, std::string_view text, bool star_matches_slash = false);

// The candidate nearest to `word` by edit distance, if it is near enough to be a likely typo.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace gpuharden
