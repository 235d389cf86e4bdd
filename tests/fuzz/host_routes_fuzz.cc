// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses and routes of /proc/net.
#include "checks/firewall/host_routes.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden;
  const auto text = test::text_of(data, size);
  for (const auto& address : parse_local4(text)) test::require(address.size() == 4);
  for (const auto& address : parse_local6(text)) test::require(address.size() == 16);
  const auto four = parse_routes4(text);
  const auto six = parse_routes6(text);
  for (const auto& route : four) test::require(route.length <= 32);
  for (const auto& route : six) test::require(route.length <= 128);
  interface_of(four, std::string_view("\x0a\0\0\1", 4));
  interface_of(six, std::string_view("\xfd\0\0\1\0\0\0\0\0\0\0\0\0\0\0\1", 16));
  default_interface(four);
  return 0;
}
