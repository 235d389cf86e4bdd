// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit.h"

#include <linux/audit.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::size_t kDatagram = 65536;

struct Request {
  nlmsghdr header;
};

Error refusal(int errno_value) {
  // What the kernel says to anyone in another user namespace than the first.
  if (errno_value == ECONNREFUSED)
    return {ErrorCode::kUnsupported, "audit: the kernel answers only in the initial user namespace"};
  return error_from_errno(errno_value, "audit");
}

Result<UniqueFd> ask(std::uint16_t type) {
  UniqueFd fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_AUDIT));
  if (!fd) return error_from_errno(errno, "audit: opening netlink");
  Request request{};
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = type;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.header.nlmsg_seq = 1;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
  if (::sendto(fd.get(), &request, sizeof request, 0, address, sizeof kernel) < 0) return refusal(errno);
  return fd;
}

// The next datagram that the kernel itself sent.
Result<std::string_view> receive(int fd, std::string& buffer, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{fd, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return error_from_errno(errno, "audit: waiting");
    if (ready == 0) return Error{ErrorCode::kTimeout, "audit: the kernel did not answer in time"};
    sockaddr_nl sender{};
    socklen_t size = sizeof sender;
    const auto length =
        ::recvfrom(fd, buffer.data(), buffer.size(), MSG_TRUNC, reinterpret_cast<sockaddr*>(&sender), &size);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (length < 0) return error_from_errno(errno, "audit: reading");
    if (sender.nl_pid != 0) continue;
    if (static_cast<std::size_t>(length) > buffer.size())
      return Error{ErrorCode::kTooLarge, "audit: a message is larger than any rule"};
    return std::string_view(buffer).substr(0, static_cast<std::size_t>(length));
  }
}

// The header of the first message; the kernel's audit sends one in each datagram.
Result<nlmsghdr> header_of(std::string_view datagram) {
  nlmsghdr header{};
  if (datagram.size() < sizeof header) return Error{ErrorCode::kMalformed, "audit: short message"};
  std::memcpy(&header, datagram.data(), sizeof header);
  if (header.nlmsg_len < sizeof header || header.nlmsg_len > datagram.size())
    return Error{ErrorCode::kMalformed, "audit: cut message"};
  if (header.nlmsg_type != NLMSG_ERROR) return header;
  int code = 0;
  if (datagram.size() < sizeof header + sizeof code) return Error{ErrorCode::kMalformed, "audit: short error"};
  std::memcpy(&code, datagram.data() + sizeof header, sizeof code);
  return refusal(-code);
}

}  // namespace

Result<std::string> ask_audit_status() {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, ask(AUDIT_GET));
  std::string buffer(kDatagram, '\0');
  GH_ASSIGN_OR_RETURN(const auto datagram, receive(fd.get(), buffer, Clock::now() + kPatience));
  GH_ASSIGN_OR_RETURN(const nlmsghdr header, header_of(datagram));
  return std::string(datagram.substr(0, header.nlmsg_len));
}

Result<std::string> list_audit_rules() {
  GH_ASSIGN_OR_RETURN(const UniqueFd fd, ask(AUDIT_LIST_RULES));
  const auto deadline = Clock::now() + kPatience;
  std::string buffer(kDatagram, '\0');
  std::string messages;
  for (;;) {
    GH_ASSIGN_OR_RETURN(const auto datagram, receive(fd.get(), buffer, deadline));
    GH_ASSIGN_OR_RETURN(const nlmsghdr header, header_of(datagram));
    if (header.nlmsg_type == NLMSG_DONE) return messages;
    messages.append(datagram.substr(0, header.nlmsg_len));
    messages.append(NLMSG_ALIGN(header.nlmsg_len) - header.nlmsg_len, '\0');
    if (messages.size() > kMaxAuditBytes) return Error{ErrorCode::kTooLarge, "audit: too many rules"};
  }
}

Result<AuditStatus> decode_audit_status(std::string_view message) {
  GH_ASSIGN_OR_RETURN(const nlmsghdr header, header_of(message));
  if (header.nlmsg_type != AUDIT_GET) return Error{ErrorCode::kMalformed, "audit: no status"};
  // Older kernels send less, newer ones more; the first words stay what they are.
  std::uint32_t words[10] = {};
  const std::size_t size = std::min(sizeof words, header.nlmsg_len - sizeof header);
  if (size < 8 * sizeof words[0]) return Error{ErrorCode::kMalformed, "audit: short status"};
  std::memcpy(words, message.data() + sizeof header, size);
  AuditStatus status{words[1], words[2], words[3], words[4], words[5], words[6], words[7], std::nullopt};
  if (size == sizeof words) status.backlog_wait_time = words[9];
  return status;
}

std::string encode_audit_status(const AuditStatus& status) {
  const std::uint32_t words[11] = {0,
                                   status.enabled,
                                   status.failure,
                                   status.pid,
                                   status.rate_limit,
                                   status.backlog_limit,
                                   status.lost,
                                   status.backlog,
                                   AUDIT_FEATURE_BITMAP_ALL,
                                   status.backlog_wait_time.value_or(0),
                                   0};
  const std::size_t size = status.backlog_wait_time ? sizeof words : 8 * sizeof words[0];
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + size);
  header.nlmsg_type = AUDIT_GET;
  std::string message(reinterpret_cast<const char*>(&header), sizeof header);
  return message.append(reinterpret_cast<const char*>(words), size);
}

bool has_audit_family(std::string_view proc_net_netlink) {
  for (const auto line : split(proc_net_netlink, '\n')) {
    const auto words = split_words(line);
    if (words.size() > 2 && parse_unsigned(words[1]) == std::uint64_t{NETLINK_AUDIT} && words[2] == "0") return true;
  }
  return false;
}

}  // namespace gpuharden
