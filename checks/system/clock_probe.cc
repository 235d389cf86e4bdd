// SPDX-License-Identifier: GPL-2.0-or-later
// What time the machine believes it is: what depends on dates depends on this.
#include "engine/base/date.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"now", ColumnType::kInteger, "seconds since the epoch; of a capture: when it was made", ColumnFlag::kNotNull},
    {"today", ColumnType::kText, "the same as a day, UTC: 2026-08-18", ColumnFlag::kNotNull},
};

void read_clock(TableReader& out) {
  const auto now = out.host().now();
  out.row().set("now", now).set("today", format_date(day_of(now)));
}

}  // namespace

Probe clock_probe() {
  return {{"clock", "The machine's clock. One row. A clock that is older than the rules is a gap: it cannot be right.",
           kColumns},
          &read_clock};
}

}  // namespace gpuharden
