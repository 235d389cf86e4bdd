// SPDX-License-Identifier: GPL-2.0-or-later
// Python's path files (*.pth), whose import lines run at the start of every interpreter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct PathFile {
  std::vector<std::string> imports;  // lines that are run, as written
  std::vector<std::string> paths;    // lines that become folders of modules, as written
};

// As site.py reads it: comments and blank lines do not count; "import" and a blank or tab at the start of
// a line run the line.
PathFile parse_path_file(std::string_view text);

// Words of Python code that a start-up hook seldom needs and an implant nearly always has: exec, eval,
// base64, subprocess, socket, … Each once, in the order of this program's list.
std::vector<std::string> risky_words(std::string_view code);

}  // namespace gpuharden
