// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/tcp and its kin.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <sys/socket.h>

#include "checks/network/inet_address.h"
#include "checks/network/proc_net.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  for (const int family : {AF_INET, AF_INET6}) {
    for (const auto& socket : gpuharden::parse_proc_net(text, family, gpuharden::kTcpListen).sockets) {
      gpuharden::address_text(socket.local_address);
      gpuharden::address_exposure(socket.local_address);
    }
  }
  return 0;
}
