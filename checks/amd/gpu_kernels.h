// SPDX-License-Identifier: GPL-2.0-or-later
// Files of AMD's math libraries that hold compiled kernels, by their names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpuharden {

// The instruction set that a file of kernels is for: "gfx90a" of "Kernels.so-000-gfx90a-xnack+.hsaco" and of
// "TensileLibrary_Type_SS_Contraction_l_Ailk_Bjlk_Cijk_Dijk_gfx90a.dat". Nothing for files that are for none or
// are no kernels.
std::optional<std::string> kernel_architecture(std::string_view file_name);

// Whether the whole text names an instruction set: gfx1100.
bool is_architecture(std::string_view text);

}  // namespace gpuharden
