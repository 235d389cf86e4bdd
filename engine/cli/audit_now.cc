// SPDX-License-Identifier: GPL-2.0-or-later
// An audit in passing: for commands that want to know how things stand and write no report.
#include <ctime>

#include "engine/cli/command.h"
#include "engine/scan/audit.h"
#include "engine/scan/floor_source.h"

namespace gpuharden {

std::optional<Report> audit_now(const HostOptions& host, const Catalog& catalog, const Selection& selection,
                                const AuditOptions& options) {
  auto source = launch_readers(host, false);
  if (source) {
    if (const auto ready = (*source)->greet(); !ready) source = ready.error();
  }
  if (!source) {
    complain(source.error().message);
    return std::nullopt;
  }
  Report report;
  FloorSource tables(**source);
  tables.use(catalog.floors, selection.floors_max_age);
  run_audit(selection, catalog.techniques, options, tables, report);
  report.host.name = (*source)->hello().kernel.nodename;
  report.started = ::time(nullptr);
  return report;
}

}  // namespace gpuharden
