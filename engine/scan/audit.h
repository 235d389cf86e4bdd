// SPDX-License-Identifier: GPL-2.0-or-later
// One audit: selected rules over one source of tables, to one report.
#pragma once

#include "engine/model/report.h"
#include "engine/rules/catalog.h"
#include "engine/rules/selection.h"
#include "engine/scan/evaluate.h"
#include "engine/scan/table_source.h"

namespace gpuharden {

struct AuditOptions {
  Gate gate;
  bool deep = false;
  bool compute = true;  // false: rules that let GPUs compute are left out, as if they were not selected
};

// Fills rules, not_selected, gate and exit_code of `report`, and host.os and
// host.gpus where the tables tell.
void run_audit(Selection selection, const TechniqueTables& techniques, const AuditOptions& options, TableSource& source,
               Report& report);

}  // namespace gpuharden
