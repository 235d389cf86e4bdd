// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/sock_diag.h"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Socket = Handle<mnl_socket, &mnl_socket_close>;

constexpr std::uint32_t kListenStates = 1U << TCP_LISTEN;
constexpr std::uint32_t kUnconnectedStates = 1U << TCP_CLOSE;

// libmnl compares lengths as signed numbers: one of 2^31 or more passes mnl_nlmsg_ok.
bool is_whole(const nlmsghdr* header, int left) {
  return mnl_nlmsg_ok(header, left) && header->nlmsg_len <= static_cast<std::uint32_t>(left);
}

void put_request(char* buffer, int protocol, int family) {
  nlmsghdr* header = mnl_nlmsg_put_header(buffer);
  header->nlmsg_type = SOCK_DIAG_BY_FAMILY;
  header->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  header->nlmsg_seq = 1;
  auto* request = static_cast<inet_diag_req_v2*>(mnl_nlmsg_put_extra_header(header, sizeof(inet_diag_req_v2)));
  request->sdiag_family = static_cast<std::uint8_t>(family);
  request->sdiag_protocol = static_cast<std::uint8_t>(protocol);
  request->idiag_states = protocol == IPPROTO_TCP ? kListenStates : kUnconnectedStates;
}

// Appends the diag messages of one datagram; true when the dump is over.
Result<bool> append_messages(const char* data, int length, std::string& messages) {
  const auto* header = reinterpret_cast<const nlmsghdr*>(data);
  while (is_whole(header, length)) {
    if (header->nlmsg_type == NLMSG_DONE) return true;
    if (header->nlmsg_type == NLMSG_ERROR) {
      const auto* failure = static_cast<const nlmsgerr*>(mnl_nlmsg_get_payload(header));
      if (mnl_nlmsg_get_payload_len(header) < sizeof *failure)
        return Error{ErrorCode::kMalformed, "sock_diag: short error"};
      return error_from_errno(-failure->error, "sock_diag");
    }
    if ((header->nlmsg_flags & NLM_F_DUMP_INTR) != 0)
      return Error{ErrorCode::kIo, "sock_diag: the table changed while it was read"};
    messages.append(reinterpret_cast<const char*>(header), NLMSG_ALIGN(header->nlmsg_len));
    header = mnl_nlmsg_next(header, &length);
  }
  return false;
}

int remember_attribute(const nlattr* attribute, void* data) {
  auto& socket = *static_cast<InetSocket*>(data);
  if (mnl_attr_get_type(attribute) == INET_DIAG_SKV6ONLY && mnl_attr_get_payload_len(attribute) == 1) {
    socket.v6_only = mnl_attr_get_u8(attribute) != 0;
  }
  return MNL_CB_OK;
}

}  // namespace

Result<std::string> dump_inet_sockets(int protocol, int family) {
  const Socket socket(mnl_socket_open2(NETLINK_SOCK_DIAG, SOCK_CLOEXEC));
  if (!socket) return error_from_errno(errno, "sock_diag: opening netlink");
  if (mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) != 0)
    return error_from_errno(errno, "sock_diag: binding netlink");
  alignas(nlmsghdr) char request[256] = {};
  put_request(request, protocol, family);
  const auto* header = reinterpret_cast<const nlmsghdr*>(request);
  if (mnl_socket_sendto(socket.get(), header, header->nlmsg_len) < 0)
    return error_from_errno(errno, "sock_diag: asking");
  std::string messages;
  std::string buffer(65536, '\0');
  for (;;) {
    const auto length = mnl_socket_recvfrom(socket.get(), buffer.data(), buffer.size());
    if (length < 0) return error_from_errno(errno, "sock_diag: reading");
    GH_ASSIGN_OR_RETURN(const bool done, append_messages(buffer.data(), static_cast<int>(length), messages));
    if (done) return messages;
  }
}

Result<std::vector<InetSocket>> decode_inet_sockets(std::string_view messages) {
  // Messages are read at their natural alignment.
  std::vector<nlmsghdr> aligned(messages.size() / sizeof(nlmsghdr) + 1);
  std::memcpy(static_cast<void*>(aligned.data()), messages.data(), messages.size());
  int left = static_cast<int>(messages.size());
  std::vector<InetSocket> sockets;
  const nlmsghdr* header = aligned.data();
  while (left > 0) {
    const auto fail = [&](std::string_view what) {
      return Error{ErrorCode::kMalformed,
                   concat({"sock_diag: ", what, " ", std::to_string(left), " bytes before the end"})};
    };
    if (!is_whole(header, left)) return fail("cut message");
    if (mnl_nlmsg_get_payload_len(header) < sizeof(inet_diag_msg)) return fail("short message");
    const auto* message = static_cast<const inet_diag_msg*>(mnl_nlmsg_get_payload(header));
    if (message->idiag_family != AF_INET && message->idiag_family != AF_INET6) return fail("unknown family");
    InetSocket socket;
    socket.family = message->idiag_family;
    socket.state = message->idiag_state;
    socket.local_address.assign(reinterpret_cast<const char*>(message->id.idiag_src),
                                socket.family == AF_INET ? 4 : 16);
    socket.local_port = ntohs(message->id.idiag_sport);
    socket.interface = message->id.idiag_if;
    socket.uid = message->idiag_uid;
    socket.inode = message->idiag_inode;
    mnl_attr_parse(header, sizeof(inet_diag_msg), &remember_attribute, &socket);
    sockets.push_back(std::move(socket));
    header = mnl_nlmsg_next(header, &left);
  }
  return sockets;
}

std::string encode_inet_sockets(const std::vector<InetSocket>& sockets) {
  std::string messages;
  for (const auto& socket : sockets) {
    alignas(nlmsghdr) char buffer[512] = {};
    nlmsghdr* header = mnl_nlmsg_put_header(buffer);
    header->nlmsg_type = SOCK_DIAG_BY_FAMILY;
    auto* message = static_cast<inet_diag_msg*>(mnl_nlmsg_put_extra_header(header, sizeof(inet_diag_msg)));
    message->idiag_family = static_cast<std::uint8_t>(socket.family);
    message->idiag_state = socket.state;
    std::memcpy(message->id.idiag_src, socket.local_address.data(),
                std::min<std::size_t>(socket.local_address.size(), 16));
    message->id.idiag_sport = htons(socket.local_port);
    message->id.idiag_if = socket.interface;
    message->idiag_uid = socket.uid;
    message->idiag_inode = static_cast<std::uint32_t>(socket.inode);
    if (socket.v6_only) mnl_attr_put_u8(header, INET_DIAG_SKV6ONLY, *socket.v6_only ? 1 : 0);
    messages.append(buffer, NLMSG_ALIGN(header->nlmsg_len));
  }
  return messages;
}

}  // namespace gpuharden
