// SPDX-License-Identifier: GPL-2.0-or-later
// A report with every outcome and every field.
#pragma once

#include "engine/report/writer.h"

namespace gpuharden::test {

Report sample_report();

}  // namespace gpuharden::test
