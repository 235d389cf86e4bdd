// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit_socket.h"

#include <linux/audit.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::size_t kDatagram = 65536;

Error refusal_of(int errno_value) {
  // What the kernel says to anyone in another user namespace than the first.
  if (errno_value == ECONNREFUSED)
    return {ErrorCode::kUnsupported, "audit: the kernel answers only in the initial user namespace"};
  return error_from_errno(errno_value, "audit");
}

}  // namespace

Result<AuditSocket> AuditSocket::ask(std::uint16_t type) { return send(type, NLM_F_REQUEST, {}); }

Result<AuditSocket> AuditSocket::tell(std::uint16_t type, std::string_view payload) {
  return send(type, NLM_F_REQUEST | NLM_F_ACK, payload);
}

Result<AuditSocket> AuditSocket::send(std::uint16_t type, std::uint16_t flags, std::string_view payload) {
  AuditSocket socket;
  socket.fd_ = UniqueFd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_AUDIT));
  if (!socket.fd_) return error_from_errno(errno, "audit: opening netlink");
  std::string request;
  put_message(request, type, flags, payload);
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
  if (::sendto(socket.fd_.get(), request.data(), request.size(), 0, address, sizeof kernel) < 0)
    return refusal_of(errno);
  socket.until_ = Clock::now() + kPatience;
  socket.buffer_.resize(kDatagram);
  return socket;
}

// The next datagram that the kernel itself sent.
Result<std::string_view> AuditSocket::receive_datagram() {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now()).count();
    pollfd waiting{fd_.get(), POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return error_from_errno(errno, "audit: waiting");
    if (ready == 0) return Error{ErrorCode::kTimeout, "audit: the kernel did not answer in time"};
    sockaddr_nl sender{};
    socklen_t size = sizeof sender;
    const auto length =
        ::recvfrom(fd_.get(), buffer_.data(), buffer_.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&sender), &size);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (length < 0) return error_from_errno(errno, "audit: reading");
    if (sender.nl_pid != 0) continue;
    if (static_cast<std::size_t>(length) > buffer_.size())
      return Error{ErrorCode::kTooLarge, "audit: a message is larger than any rule"};
    return std::string_view(buffer_).substr(0, static_cast<std::size_t>(length));
  }
}

// The first message of a datagram: the kernel's audit sends one in each.
Result<AuditMessage> AuditSocket::receive() {
  GH_ASSIGN_OR_RETURN(const auto datagram, receive_datagram());
  nlmsghdr header{};
  if (datagram.size() < sizeof header) return Error{ErrorCode::kMalformed, "audit: short message"};
  std::memcpy(&header, datagram.data(), sizeof header);
  if (header.nlmsg_len < sizeof header || header.nlmsg_len > datagram.size())
    return Error{ErrorCode::kMalformed, "audit: cut message"};
  const AuditMessage message{header.nlmsg_type, datagram.substr(0, header.nlmsg_len)};
  if (header.nlmsg_type != NLMSG_ERROR) return message;
  int code = 0;
  if (datagram.size() < sizeof header + sizeof code) return Error{ErrorCode::kMalformed, "audit: short error"};
  std::memcpy(&code, datagram.data() + sizeof header, sizeof code);
  if (code == 0) return message;
  refusal_ = -code;
  return refusal_of(refusal_);
}

}  // namespace gpuharden
