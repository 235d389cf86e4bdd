// SPDX-License-Identifier: GPL-2.0-or-later
// What sees packets before the packet filter does: XDP programs and ingress queues of traffic control. By rtnetlink.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace gpuharden {

struct LinkPrograms {
  std::uint32_t index = 0;
  std::string name;
  bool has_xdp = false;
  bool has_ingress = false;  // a queue "ingress" or "clsact", where filters and programs hang
  bool operator==(const LinkPrograms&) const = default;
};

// The kernel's raw answers for all interfaces of this network namespace and their queues. Asks only.
Result<std::string> dump_link_programs();
// kMalformed, with the offset, when a message is cut or makes no sense.
Result<std::vector<LinkPrograms>> decode_link_programs(std::string_view messages);
// The messages that the kernel would send, for captures.
std::string encode_link_programs(const std::vector<LinkPrograms>& links);

}  // namespace gpuharden
