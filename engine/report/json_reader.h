// SPDX-License-Identifier: GPL-2.0-or-later
// gpuharden.report/1 back into the model: for comparisons and merges, of files that anybody may have made.
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/model/report.h"

namespace gpuharden {

// Keys that are not known are passed over; what is missing, of another type or none of the known words is an error
// that names its place: "/rules/3/severity: …". Rules come back without their queries and parameters.
Result<Report> read_report(std::string_view json);

}  // namespace gpuharden
