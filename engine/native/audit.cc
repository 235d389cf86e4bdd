// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/audit.h"

#include <linux/audit.h>
#include <linux/netlink.h>

#include <cstring>

#include "engine/base/text.h"
#include "engine/native/audit_socket.h"

namespace gpuharden {

Result<std::string> ask_audit_status() {
  GH_ASSIGN_OR_RETURN(AuditSocket kernel, AuditSocket::ask(AUDIT_GET));
  GH_ASSIGN_OR_RETURN(const AuditMessage message, kernel.receive());
  return std::string(message.bytes);
}

Result<std::string> list_audit_rules() {
  GH_ASSIGN_OR_RETURN(AuditSocket kernel, AuditSocket::ask(AUDIT_LIST_RULES));
  std::string messages;
  for (;;) {
    GH_ASSIGN_OR_RETURN(const AuditMessage message, kernel.receive());
    if (message.type == NLMSG_DONE) return messages;
    messages.append(message.bytes);
    messages.append(NLMSG_ALIGN(message.bytes.size()) - message.bytes.size(), '\0');
    if (messages.size() > kMaxAuditBytes) return Error{ErrorCode::kTooLarge, "audit: too many rules"};
  }
}

Result<AuditStatus> decode_audit_status(std::string_view message) {
  nlmsghdr header{};
  if (message.size() < sizeof header) return Error{ErrorCode::kMalformed, "audit: short message"};
  std::memcpy(&header, message.data(), sizeof header);
  if (header.nlmsg_len < sizeof header || header.nlmsg_len > message.size() || header.nlmsg_type != AUDIT_GET)
    return Error{ErrorCode::kMalformed, "audit: no status"};
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
