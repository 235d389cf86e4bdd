// SPDX-License-Identifier: GPL-2.0-or-later
// $NAME and ${NAME} in the command lines of units.
#pragma once

#include <string>
#include <vector>

#include "checks/systemd/unit_environment.h"
#include "checks/systemd/unit_words.h"

namespace gpuharden {

struct ExpandedCommand {
  std::vector<std::string> words;
  std::vector<std::string> unread;  // variables that PassEnvironment= takes from where no file says
};

// As systemd.service(5): "$NAME" as a word of its own becomes the value's words, "${NAME}" anywhere
// the value as it is, "$$" is "$", a variable that is not set is empty. The program itself and
// commands with the prefix ':' are left alone.
ExpandedCommand expand_command(const UnitCommand& command, const UnitEnvironment& environment);

}  // namespace gpuharden
