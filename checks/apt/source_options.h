// SPDX-License-Identifier: GPL-2.0-or-later
// What the options of a source mean to apt.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

using SourceOptions = std::map<std::string, std::string, std::less<>>;

// How apt reads a truth value: yes true 1 on with enable, no false 0 off without disable, in any
// case, and any spelling of 0 and 1 that strtol takes. Nothing for other text.
std::optional<bool> apt_boolean(std::string_view text);

// A security switch of a source: nothing when it is not set; other text than a truth value is a
// "no" to apt.
std::optional<bool> source_switch(const SourceOptions& options, std::string_view name);

enum class SignedByKind { kNone, kKeyring, kFingerprint, kInline };
std::string_view to_string(SignedByKind kind);

struct SignedBy {
  SignedByKind kind = SignedByKind::kNone;  // of its first part
  std::string normalised;                   // as apt compares it: parts joined by ',', or the inline block
  std::vector<std::string> keyrings;        // absolute paths
  std::vector<std::string> fingerprints;    // upper case, without '!'
  std::string invalid;                      // the first part that is neither: apt refuses the source
};
SignedBy parse_signed_by(std::string_view value);

// A sentence when an option looks like a security switch but is none to apt, or has a value that
// apt does not take as it looks; empty otherwise. `name` is as written.
std::string misspelled_line_option(std::string_view name, std::string_view value);
std::string misspelled_field(std::string_view name, std::string_view value);

// The one-line name of a deb822 field that is an option: "Languages" is lang. Empty for others.
std::string_view option_of_field(std::string_view field);

}  // namespace gpuharden
