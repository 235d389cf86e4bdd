// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of NETLINK_SOCK_DIAG as they stand in a capture.
#include "engine/native/sock_diag.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto sockets = gpuharden::decode_inet_sockets(gpuharden::test::text_of(data, size));
  if (!sockets) return 0;
  const auto again = gpuharden::decode_inet_sockets(gpuharden::encode_inet_sockets(*sockets));
  gpuharden::test::require(again.has_value() && again->size() == sockets->size());
  return 0;
}
