// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own answers, in a network namespace where nothing else listens.
#include "engine/native/sock_diag.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "checks/network/inet_address.h"
#include "checks/network/proc_net.h"

namespace gpuharden {
namespace {

enum class V6Only { kNo, kYes };

void bring_loopback_up() {
  const int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request{};
  std::string_view("lo").copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_flags = IFF_UP;
  if (::ioctl(fd, SIOCSIFFLAGS, &request) != 0) ::_exit(3);
  ::close(fd);
}

void listen_on(const char* address, std::uint16_t port, V6Only v6_only) {
  sockaddr_in6 six{};
  sockaddr_in four{};
  const bool is_ipv6 = std::string_view(address).find(':') != std::string_view::npos;
  const int fd = ::socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  ::inet_pton(AF_INET6, address, &six.sin6_addr);
  ::inet_pton(AF_INET, address, &four.sin_addr);
  const int option = v6_only == V6Only::kYes ? 1 : 0;
  if (is_ipv6) ::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &option, sizeof option);
  const auto* name = is_ipv6 ? reinterpret_cast<const sockaddr*>(&six) : reinterpret_cast<const sockaddr*>(&four);
  if (::bind(fd, name, is_ipv6 ? sizeof six : sizeof four) != 0 || ::listen(fd, 1) != 0) ::_exit(4);
}

std::string line_of(const InetSocket& socket) {
  const std::string name = socket_name("tcp", address_text(socket.local_address), socket.local_port, socket.interface);
  return name + " " + std::to_string(socket.inode);
}

std::vector<std::string> asked_from_kernel(std::vector<InetSocket>& all) {
  std::vector<std::string> lines;
  for (const int family : {AF_INET, AF_INET6}) {
    const auto messages = dump_inet_sockets(IPPROTO_TCP, family);
    if (!messages) return {messages.error().message};
    const auto sockets = decode_inet_sockets(*messages);
    if (!sockets) return {sockets.error().message};
    for (const auto& socket : *sockets) {
      all.push_back(socket);
      lines.push_back(line_of(socket));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::vector<std::string> read_from_proc() {
  std::vector<std::string> lines;
  for (const int family : {AF_INET, AF_INET6}) {
    std::ifstream file(family == AF_INET ? "/proc/thread-self/net/tcp" : "/proc/thread-self/net/tcp6");
    std::stringstream text;
    text << file.rdbuf();
    for (const auto& socket : parse_proc_net(text.str(), family, kTcpListen).sockets) lines.push_back(line_of(socket));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Runs in a child whose network namespace dies with it; the text of what went wrong comes back.
std::string in_own_namespace(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    if (::unshare(CLONE_NEWNET) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) ::_exit(2);
    bring_loopback_up();
    const std::string text = work();
    const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(written == static_cast<ssize_t>(text.size()) ? 0 : 5);
  }
  ::close(ends[1]);
  std::string text;
  char block[4096];
  for (auto count = ::read(ends[0], block, sizeof block); count > 0; count = ::read(ends[0], block, sizeof block)) {
    text.append(block, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) return "no namespace";
  return status == 0 ? text : "status " + std::to_string(status);
}

std::string compare_with_proc() {
  listen_on("127.0.0.1", 11434, V6Only::kNo);
  listen_on("::1", 11434, V6Only::kNo);
  listen_on("::", 8888, V6Only::kYes);
  listen_on("::", 9999, V6Only::kNo);
  std::vector<InetSocket> sockets;
  const auto from_kernel = asked_from_kernel(sockets);
  const auto from_proc = read_from_proc();
  if (from_kernel != from_proc)
    return "differ: " + from_kernel.front() + " and " + (from_proc.empty() ? "none" : from_proc.front());
  std::string text;
  for (const auto& socket : sockets) {
    const auto only = socket.v6_only ? std::string(*socket.v6_only ? " only6" : " both") : "";
    text += address_text(socket.local_address) + " " + std::to_string(socket.local_port) + only + "\n";
  }
  return text;
}

TEST(SockDiag, AgreesWithProcAndKnowsV6Only) {
  const auto text = in_own_namespace(&compare_with_proc);
  if (text == "no namespace") GTEST_SKIP() << "this user may not make a network namespace";
  EXPECT_THAT(text, testing::HasSubstr("127.0.0.1 11434\n"));
  EXPECT_THAT(text, testing::HasSubstr(":: 8888 only6\n"));
  EXPECT_THAT(text, testing::HasSubstr(":: 9999 both\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(DecodeInetSockets, ReadsBackWhatWasEncoded) {
  InetSocket socket;
  socket.family = AF_INET6;
  socket.state = 10;
  socket.local_address = std::string(16, '\0');
  socket.local_port = 11434;
  socket.uid = 998;
  socket.inode = 55501;
  socket.v6_only = true;
  const auto sockets = decode_inet_sockets(encode_inet_sockets({socket, socket}));
  ASSERT_TRUE(sockets.has_value());
  ASSERT_EQ(sockets->size(), 2U);
  EXPECT_EQ(sockets->at(1).local_port, 11434);
  EXPECT_EQ(sockets->at(1).uid, 998U);
  EXPECT_EQ(sockets->at(1).v6_only, true);
}

TEST(DecodeInetSockets, RefusesACutMessage) {
  InetSocket socket;
  socket.family = AF_INET;
  socket.local_address = std::string(4, '\0');
  const auto messages = encode_inet_sockets({socket});
  for (const std::size_t size : {1U, 15U, 16U, 40U}) {
    const auto decoded = decode_inet_sockets(messages.substr(0, size));
    ASSERT_FALSE(decoded.has_value()) << size;
    EXPECT_EQ(decoded.error().code, ErrorCode::kMalformed);
  }
}

TEST(DecodeInetSockets, RefusesALengthBeyondEverything) {
  InetSocket socket;
  socket.family = AF_INET;
  socket.local_address = std::string(4, '\0');
  auto messages = encode_inet_sockets({socket});
  messages[3] = '\xff';  // the length's highest byte
  EXPECT_FALSE(decode_inet_sockets(messages).has_value());
}

}  // namespace
}  // namespace gpuharden
