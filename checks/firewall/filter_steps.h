// SPDX-License-Identifier: GPL-2.0-or-later
// What single expressions of a rule do to registers, marks and packets.
#pragma once

#include "checks/firewall/filter_program.h"
#include "checks/firewall/filter_run.h"
#include "checks/firewall/packet.h"

namespace gpuharden {

// Everything but verdicts, verdict maps and translations: whether the rule goes on behind it.
Match step_matches(const FilterStep& step, Registers& registers, Packet& packet);

// Where a translation sends the packet; crowd and rule are left open.
Translation translation_of(const FilterStep& step, const Registers& registers, const Packet& packet, int family);

}  // namespace gpuharden
