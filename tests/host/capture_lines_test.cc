// SPDX-License-Identifier: GPL-2.0-or-later
// What a host.yaml may hold thousands of, it holds as blocks of lines: sockets, owners.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "engine/base/text.h"
#include "engine/host/capture_yaml.h"

namespace gpuharden {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHead = "format: gpuharden.capture/1\n";

Result<CapturedHost> parse(std::string_view text) { return parse_captured_host(concat({kHead, text}), "host.yaml"); }

TEST(CaptureSockets, AreLinesOfABlock) {
  const auto host = parse(
      "tcp: |\n"
      "  0.0.0.0 8000 uid=1004 inode=31337 interface=2\n"
      "  ::1 11434 v6only=true\n"
      "udp: |\n");
  ASSERT_TRUE(host.has_value()) << host.error().message;
  ASSERT_EQ(host->tcp->size(), 2U);
  const InetSocket& first = host->tcp->at(0);
  EXPECT_EQ(first.family, AF_INET);
  EXPECT_EQ(first.state, 10);
  EXPECT_EQ(first.local_address, std::string(4, '\0'));
  EXPECT_EQ(first.local_port, 8000);
  EXPECT_EQ(first.uid, 1004U);
  EXPECT_EQ(first.inode, 31337U);
  EXPECT_EQ(first.interface, 2U);
  EXPECT_EQ(first.v6_only, std::nullopt);
  EXPECT_EQ(host->tcp->at(1).v6_only, true);
  EXPECT_TRUE(host->udp && host->udp->empty());  // there are none: not the same as not captured
}

TEST(CaptureSockets, AreTheSameAsAListAndAsLines) {
  const auto list = parse("tcp: [{address: '::', port: 22, uid: 5, inode: 7}]\n");
  const auto lines = parse("tcp: |\n  :: 22 uid=5 inode=7\n");
  ASSERT_TRUE(list && lines);
  EXPECT_EQ(encode_inet_sockets(*list->tcp), encode_inet_sockets(*lines->tcp));
}

TEST(CaptureSockets, NamesTheLineThatMakesNoSense) {
  for (const std::string_view line : {"0.0.0.0", "0.0.0.0 65536", "somewhere 80", "127.0.0.1 80 v6only=true",
                                      "::1 80 inode=", "::1 80 owner=1", "::1 80 uid=4294967296", "::1 80 x"}) {
    const auto host = parse(concat({"tcp: |\n  ::1 22\n  ", line, "\n"}));
    ASSERT_FALSE(host.has_value()) << line;
    EXPECT_THAT(host.error().message, HasSubstr("line 2")) << line;
  }
}

TEST(CaptureSockets, RefusesNumbersThatDoNotFit) {
  const auto host = parse("tcp: [{address: '::', port: 70000}]\n");
  ASSERT_FALSE(host.has_value());
  EXPECT_THAT(host.error().message, HasSubstr("a number is expected"));
}

TEST(CaptureSockets, MayBeTensOfThousands) {
  std::string text = "tcp: |\n";
  for (int i = 0; i < 60000; ++i) text += "  127.0.0.1 22 inode=" + std::to_string(i) + "\n";
  const auto host = parse(text);
  ASSERT_TRUE(host.has_value()) << host.error().message;
  EXPECT_EQ(host->tcp->size(), 60000U);
}

TEST(CaptureOwners, AreLinesOfABlock) {
  const auto host = parse("owners: |\n  1004:1005 0750 /home/a b\n  7:8 /x\n");
  ASSERT_TRUE(host.has_value()) << host.error().message;
  const CapturedPath& home = host->paths.at("/home/a b");
  EXPECT_EQ(home.uid, 1004U);
  EXPECT_EQ(home.gid, 1005U);
  EXPECT_EQ(home.mode, 0750U);
  EXPECT_EQ(host->paths.at("/x").mode, std::nullopt);
}

TEST(CaptureOwners, NamesTheLineThatMakesNoSense) {
  for (const std::string_view line : {"1004 /x", "1:2 3 4 /x", "a:2 /x", "1:2 0999 /x", "1:2 010000 /x", "1:2", ":2 /x",
                                      "1: /x", "4294967296:1 /x", "1:2 x", "/x 1:2", "1 :2 /x"}) {
    const auto host = parse(concat({"owners: |\n  1:1 /\n  ", line, "\n"}));
    ASSERT_FALSE(host.has_value()) << line;
    EXPECT_THAT(host.error().message, HasSubstr("line 2")) << line;
  }
}

TEST(CaptureOwners, RefusesAPathThatIsGivenTwice) {
  EXPECT_FALSE(parse("owners: |\n  1:1 /x\n  1:1 /x\n"));
  EXPECT_FALSE(parse("paths: {/x: {uid: 1}}\nowners: |\n  1:1 /x\n"));
}

}  // namespace
}  // namespace gpuharden
