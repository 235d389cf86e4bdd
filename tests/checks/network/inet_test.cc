// SPDX-License-Identifier: GPL-2.0-or-later
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "checks/network/inet_address.h"
#include "checks/network/proc_net.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string bytes_of(const char* text) {
  char bytes[16] = {};
  const int family = std::string_view(text).find(':') == std::string_view::npos ? AF_INET : AF_INET6;
  EXPECT_EQ(::inet_pton(family, text, bytes), 1) << text;
  return std::string(bytes, family == AF_INET ? 4 : 16);
}

TEST(AddressExposure, LooksThroughMappedAddresses) {
  EXPECT_EQ(address_exposure(bytes_of("0.0.0.0")), "wildcard");
  EXPECT_EQ(address_exposure(bytes_of("127.8.8.8")), "loopback");
  EXPECT_EQ(address_exposure(bytes_of("10.0.0.5")), "specific");
  EXPECT_EQ(address_exposure(bytes_of("::")), "wildcard");
  EXPECT_EQ(address_exposure(bytes_of("::1")), "loopback");
  EXPECT_EQ(address_exposure(bytes_of("fe80::1")), "link-local");
  EXPECT_EQ(address_exposure(bytes_of("::ffff:127.0.0.1")), "loopback");
  EXPECT_EQ(address_exposure(bytes_of("::ffff:0.0.0.0")), "wildcard");
}

TEST(SocketName, PutsIpv6IntoBrackets) {
  EXPECT_EQ(socket_name("tcp", "127.0.0.1", 80, 0), "tcp 127.0.0.1:80");
  EXPECT_EQ(socket_name("udp", "fe80::1", 546, 2), "udp6 [fe80::1%2]:546");
}

constexpr const char* kHeader =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

// C52: addresses are whole, nothing is cut or decorated.
TEST(ParseProcNet, ReadsWholeIpv6Addresses) {
  const auto table = parse_proc_net(std::string(kHeader) +
                                        "   0: B80D012016008A360000160000000000:0CFB "
                                        "00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 "
                                        "00000000  1003        0 2000 1 0000000000000000 100 0 0 10 0\n",
                                    AF_INET6, kTcpListen);
  ASSERT_EQ(table.sockets.size(), 1U);
  EXPECT_EQ(address_text(table.sockets[0].local_address), "2001:db8:368a:16:16::");
  EXPECT_EQ(table.sockets[0].local_port, 3323);
  EXPECT_EQ(table.sockets[0].uid, 1003U);
  EXPECT_EQ(table.sockets[0].inode, 2000U);
}

TEST(ParseProcNet, CountsLinesThatMakeNoSense) {
  const auto table = parse_proc_net(
      std::string(kHeader) + "junk\n 0: 0100007F:1F40 0:0 0A x y z\n 1: 0100007F:1F40 00:0 01\n", AF_INET, kTcpListen);
  EXPECT_TRUE(table.sockets.empty());
  EXPECT_EQ(table.bad_lines, 2U);
}

// C185: the one listener among 100,000 sockets that wait for their end.
TEST(ParseProcNet, FindsTheListenerAmongManySockets) {
  std::string text = kHeader;
  for (int i = 0; i < 100000; ++i) {
    text += concat(
        {std::to_string(i), ": 0100007F:", "1F90 0100007F:1F90 06 00000000:00000000 03:00000000 00000000 0 0 0 3 0\n"});
  }
  text +=
      "100000: 00000000:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000   998        0 4242 1 0 100 0 0 "
      "10 0\n";
  const auto table = parse_proc_net(text, AF_INET, kTcpListen);
  ASSERT_EQ(table.sockets.size(), 1U);
  EXPECT_EQ(table.sockets[0].local_port, 11434);
  EXPECT_EQ(table.bad_lines, 0U);
}

}  // namespace
}  // namespace gpuharden
