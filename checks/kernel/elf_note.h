// SPDX-License-Identifier: GPL-2.0-or-later
// The build id of an ELF file: what was really built, whatever its name and version say.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace gpuharden {

// Lower-case hexadecimal of the note in section .note.gnu.build-id of a 64-bit little-endian file;
// empty when the file has no such section, kMalformed when it is no such file.
Result<std::string> elf_build_id(std::string_view file);

// The same from the section's own bytes, as /sys/module/NAME/notes/.note.gnu.build-id holds them;
// empty when they make no sense.
std::string build_id_of_note(std::string_view note);

}  // namespace gpuharden
