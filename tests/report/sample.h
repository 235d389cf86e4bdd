// SPDX-License-Identifier: GPL-2.0-or-later
// A report with every outcome and every field.
#pragma once

#include "engine/report/writer.h"

namespace gpuharden::test {

Report sample_report();

// The same of a host whose users choose every text with care: control bytes, NUL, invalid UTF-8, encoded surrogates,
// terminal escapes, markup, formulas, line breaks in file names, and a value of 1 MiB.
Report hostile_report();
// The texts of it, each of which some format would stumble over.
const std::vector<std::string>& hostile_texts();

// The merged page of that many hosts, the first of them hostile.
std::string fleet_page(int hosts);

}  // namespace gpuharden::test
