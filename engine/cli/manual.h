// SPDX-License-Identifier: GPL-2.0-or-later
// The manual page, made of the definitions of the commands and their options.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gpuharden {

// gpuharden(8) as roff. What is hidden from the help is hidden here.
std::string manual_page(const CLI::App& app);

}  // namespace gpuharden
