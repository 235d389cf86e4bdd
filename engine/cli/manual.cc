// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/manual.h"

#include <CLI/CLI.hpp>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Text that roff takes for text: no escapes, no requests, hyphens that can be copied.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      const bool starts_line = out.empty() || out.back() == '\n';
      if (starts_line && (c == '.' || c == '\'')) out += "\\&";
      out += c;
    }
  }
  return out;
}

std::string option_entry(const CLI::Option& option) {
  std::string name = option.get_name(false, true);
  std::string out = concat({".TP\n.B ", roff(name)});
  const bool takes_value = option.get_items_expected_max() > 0;
  if (takes_value && !name.empty() && name[0] == '-') out += " \\fIvalue\\fR";
  out += concat({"\n", roff(option.get_description())});
  // Later libraries give flags a default too.
  const std::string value = takes_value ? option.get_default_str() : std::string();
  if (!value.empty()) out += concat({" (default: ", roff(value), ")"});
  return out + "\n";
}

std::string command_section(const CLI::App& command) {
  std::string out = concat({".SS ", roff(command.get_name()), "\n", roff(command.get_description()), ".\n"});
  for (const auto* option : command.get_options()) {
    if (option->get_group().empty() || option->get_name() == "--help") continue;
    out += option_entry(*option);
  }
  const std::string footer(trim(command.get_footer()));
  if (!footer.empty()) out += concat({".PP\n.nf\n", roff(footer), "\n.fi\n"});
  return out;
}

constexpr std::string_view kFiles = R"roff(.SH FILES
.TP
.I /usr/share/gpuharden
rules and policies as they are shipped; never edited
.TP
.I /etc/gpuharden/rules.d, /etc/gpuharden/floors.d, /etc/gpuharden/policies.d
rules, floors and policies of this site; one with a shipped name replaces that
.TP
.I /etc/gpuharden/waivers.d/*.yaml
findings that somebody answers for until a day
.PP
What others than root can change is not used there.
.SH ENVIRONMENT
Only TERM, COLUMNS and NO_COLOR are looked at.
)roff";

}  // namespace

std::string manual_page(const CLI::App& app) {
  std::string out =
      ".\\\" Made by gpuharden docs man; a test keeps it up to date.\n.TH GPUHARDEN 8\n.SH NAME\n"
      "gpuharden \\- security audit of Linux servers that compute on GPUs\n.SH SYNOPSIS\n.B gpuharden\n"
      ".I command\n.RI [ options ]\n.SH DESCRIPTION\n" +
      roff(app.get_description()) + "\nWhat could not be looked at is never reported as good.\n.SH COMMANDS\n";
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) out += command_section(*command);
  }
  return concat({out, kFiles});
}

}  // namespace gpuharden
