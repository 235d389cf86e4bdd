// SPDX-License-Identifier: GPL-2.0-or-later
// One request to the kernel's audit (NETLINK_AUDIT), and what it answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/handle.h"
#include "engine/base/result.h"

namespace gpuharden {

struct AuditMessage {
  std::uint16_t type = 0;
  std::string_view bytes;  // nlmsghdr included; good until the next receive()
};

class AuditSocket {
 public:
  // kUnsupported outside the initial user namespace, kPermission without CAP_AUDIT_CONTROL.
  static Result<AuditSocket> ask(std::uint16_t type);
  // The same for a request that changes something: the kernel acknowledges it.
  static Result<AuditSocket> tell(std::uint16_t type, std::string_view payload);

  // The next message of the kernel's own; at most a few seconds from the request on. What the kernel refuses is
  // an error with its errno in `refusal`; an acknowledgement is a message of NLMSG_ERROR.
  Result<AuditMessage> receive();
  int refusal() const { return refusal_; }

 private:
  static Result<AuditSocket> send(std::uint16_t type, std::uint16_t flags, std::string_view payload);
  Result<std::string_view> receive_datagram();
  UniqueFd fd_;
  std::chrono::steady_clock::time_point until_;
  std::string buffer_;
  int refusal_ = 0;
};

}  // namespace gpuharden
