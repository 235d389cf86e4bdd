// SPDX-License-Identifier: GPL-2.0-or-later
// The sockets of a capture's host.yaml: a list of maps, or a block of lines where there are many.
#pragma once

#include <vector>

#include "engine/host/capture_reader.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {

// Sockets of that state, in the order of the text. Faults go to the reader; a socket with one may be
// without an address.
std::vector<InetSocket> read_captured_sockets(CaptureReader& reader, const YamlNode& node, std::uint8_t state);

}  // namespace gpuharden
