// SPDX-License-Identifier: GPL-2.0-or-later
// The ports by which people get in.
#pragma once

#include <cstdint>
#include <set>

#include "engine/host/host.h"
#include "engine/scan/probe.h"

namespace gpuharden {

// Every TCP port that SSH listens on or is configured to: of sshd_config, of ssh.socket and sshd.socket after their
// drop-ins, and of sockets that sshd holds now. 22 is always among them: what cannot be read must not be lost.
std::set<std::uint16_t> ssh_ports(const Host& host, SharedFacts& shared);

}  // namespace gpuharden
