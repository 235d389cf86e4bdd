// SPDX-License-Identifier: GPL-2.0-or-later
// Options of a command line, as Python's, Go's and C++'s option parsers read them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gpuharden {

struct OptionValue {
  std::string_view name;   // the option as it is known: "--api-key"
  std::string_view value;  // of the arguments; "" for an option without one
  bool has_value = false;
};

struct OptionNames {
  std::span<const std::string_view> names;
  // "--listen" alone is right: the next argument is its value only if it begins with no dash.
  bool value_is_optional = false;
  // argparse takes "--hos" for --host. Never for what makes a service safer.
  bool abbreviated = false;
};

// The last of the options that is given ("--host x", "--host=x"); '_' and '-' are the same in long
// names, as with vLLM. Nothing behind "--" counts.
std::optional<OptionValue> find_option(std::span<const std::string> arguments, const OptionNames& options);

// Whether a flag is given, in the form "--x", "--x=true"; "--x=false" and a later "--no-x" take it back.
bool has_flag(std::span<const std::string> arguments, std::string_view option);

// 1, t, true, yes, on in any case.
bool is_yes(std::string_view value);

}  // namespace gpuharden
