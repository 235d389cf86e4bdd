// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/action.h"
#include "remediations/settings_file.h"

namespace gpuharden {
namespace {

// The last of several values of one option wins, and files are read in the order of their names.
constexpr std::string_view kFile = "/etc/modprobe.d/zz-gpuharden.conf";

bool is_word(std::string_view text) {
  return !text.empty() && text.find_first_of(" \t\n#\"'\\") == std::string_view::npos;
}

Status plan(const FixRequest& request, Draft& draft) {
  const auto module = request.argument("module");
  const auto option = request.argument("option");
  const auto value = request.argument("value");
  if (!is_word(module) || (!option.empty() && (!is_word(option) || !is_word(value))))
    return Error{ErrorCode::kMalformed, "not the name of a module, or no option=value"};
  const std::string start =
      option.empty() ? concat({"blacklist ", module}) : concat({"options ", module, " ", option, "="});
  draft.pending("a reboot (the module is in use now)");
  return draft.edit(kFile, [&](std::string_view text) { return set_line(text, start, start + value); });
}

}  // namespace

Action modprobe_config_action() {
  return {"modprobe_config",
          "Sets an option of a kernel module, or keeps it from loading by itself, in /etc/modprobe.d/zz-gpuharden.conf",
          {{"module", "its name"},
           {"option", "the option; without it the module is put on the blacklist", false},
           {"value", "the option's value", false}},
          &plan};
}

}  // namespace gpuharden
