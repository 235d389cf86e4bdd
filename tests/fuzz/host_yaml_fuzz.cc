// SPDX-License-Identifier: GPL-2.0-or-later
// host.yaml of a capture, and the decoder of sock_diag on what it encodes.
#include "engine/host/capture_yaml.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

void check_round_trip(const std::optional<std::vector<InetSocket>>& sockets) {
  if (!sockets) return;
  for (const auto& socket : *sockets) {
    if (socket.family == 0) return;  // a socket without an address
  }
  const auto decoded = decode_inet_sockets(encode_inet_sockets(*sockets));
  require(decoded.has_value() && decoded->size() == sockets->size());
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto host = gpuharden::parse_captured_host(gpuharden::test::text_of(data, size), "host.yaml");
  if (!host) return 0;
  for (const auto& [path, overlay] : host->paths) gpuharden::test::require(path[0] == '/');
  gpuharden::test::check_round_trip(host->tcp);
  gpuharden::test::check_round_trip(host->udp);
  return 0;
}
