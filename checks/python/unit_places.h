// SPDX-License-Identifier: GPL-2.0-or-later
// Folders in which the machine's own units run Python programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/host/files.h"

namespace gpuharden {

struct UnitPlaces {
  std::vector<std::string> prefixes;  // of ExecStart=/srv/x/venv/bin/serve and VIRTUAL_ENV=: /srv/x/venv
  std::vector<std::string> folders;   // of WorkingDirectory=
  std::vector<Error> errors;
};

// From services and drop-ins in /etc/systemd/system, where local units are. They are not merged: each
// place that is named anywhere counts. (The merged units are read by another reader, in parallel.)
UnitPlaces find_unit_places(const Files& files);

// What the text of one unit file or drop-in names.
void add_unit_places(std::string text, UnitPlaces& places);

// "/srv/x/venv" of "/srv/x/venv/bin/python3"; "" for programs of the system and for other paths.
std::string prefix_of_program(std::string_view program);

}  // namespace gpuharden
