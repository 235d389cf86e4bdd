// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/link_programs.h"

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

using Socket = Handle<mnl_socket, &mnl_socket_close>;

constexpr std::size_t kCap = std::size_t{64} << 20U;
constexpr std::uint16_t kXdpAttached = 2;  // IFLA_XDP_ATTACHED

template <typename Header>
std::string header_bytes(const Header& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

// True when the answer is over; an answer that changed while it was given is taken as it came.
Result<bool> append_datagram(std::string_view bytes, std::string& messages) {
  while (!bytes.empty()) {
    const auto whole = bytes;
    const auto message = next_message(bytes);
    if (!message) return Error{ErrorCode::kMalformed, "rtnetlink: an answer that makes no sense"};
    if (message->type == NLMSG_DONE) return true;
    if (message->type == NLMSG_ERROR) {
      std::int32_t code = 0;
      if (message->payload.size() >= sizeof code) std::memcpy(&code, message->payload.data(), sizeof code);
      return error_from_errno(-code, "rtnetlink");
    }
    messages.append(whole.substr(0, whole.size() - bytes.size()));
  }
  return false;
}

Status ask(mnl_socket* socket, std::uint16_t type, std::string_view payload, std::string& messages) {
  std::string request;
  put_message(request, type, NLM_F_REQUEST | NLM_F_DUMP, payload);
  if (mnl_socket_sendto(socket, request.data(), request.size()) < 0)
    return error_from_errno(errno, "rtnetlink: asking");
  std::string buffer(65536, '\0');
  for (;;) {
    const auto length = mnl_socket_recvfrom(socket, buffer.data(), buffer.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) return error_from_errno(errno, "rtnetlink: reading");
    GH_ASSIGN_OR_RETURN(const bool is_over,
                        append_datagram({buffer.data(), static_cast<std::size_t>(length)}, messages));
    if (is_over) return {};
    if (messages.size() > kCap) return Error{ErrorCode::kTooLarge, "rtnetlink: too many interfaces"};
  }
}

bool take_link(std::string_view payload, std::vector<LinkPrograms>& links) {
  ifinfomsg header{};
  if (payload.size() < sizeof header) return false;
  std::memcpy(&header, payload.data(), sizeof header);
  const auto attributes = payload.substr(sizeof header);
  LinkPrograms link;
  link.index = static_cast<std::uint32_t>(header.ifi_index);
  link.name = text_until_nul(find_attribute(attributes, IFLA_IFNAME).value_or(""));
  const auto xdp = find_attribute(attributes, IFLA_XDP);
  const auto attached = xdp ? find_attribute(*xdp, kXdpAttached) : std::nullopt;
  link.has_xdp = attached && !attached->empty() && attached->front() != '\0';
  links.push_back(std::move(link));
  return true;
}

bool take_queue(std::string_view payload, std::vector<LinkPrograms>& links) {
  tcmsg header{};
  if (payload.size() < sizeof header) return false;
  std::memcpy(&header, payload.data(), sizeof header);
  const auto kind = text_until_nul(find_attribute(payload.substr(sizeof header), TCA_KIND).value_or(""));
  if (kind != "ingress" && kind != "clsact") return true;
  const auto index = static_cast<std::uint32_t>(header.tcm_ifindex);
  const auto link = std::find_if(links.begin(), links.end(), [&](const auto& one) { return one.index == index; });
  if (link == links.end()) {
    links.push_back({index, "", false, true});  // made while the interfaces were read
  } else {
    link->has_ingress = true;
  }
  return true;
}

}  // namespace

Result<std::string> dump_link_programs() {
  const Socket socket(mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC));
  if (!socket) return error_from_errno(errno, "rtnetlink: opening");
  if (mnl_socket_bind(socket.get(), 0, MNL_SOCKET_AUTOPID) != 0) return error_from_errno(errno, "rtnetlink: binding");
  std::string messages;
  GH_RETURN_IF_ERROR(ask(socket.get(), RTM_GETLINK, header_bytes(ifinfomsg{}), messages));
  GH_RETURN_IF_ERROR(ask(socket.get(), RTM_GETQDISC, header_bytes(tcmsg{}), messages));
  return messages;
}

Result<std::vector<LinkPrograms>> decode_link_programs(std::string_view messages) {
  std::vector<LinkPrograms> links;
  const std::size_t size = messages.size();
  while (!messages.empty()) {
    const auto offset = size - messages.size();
    const auto message = next_message(messages);
    const bool is_good = message && ((message->type == RTM_NEWLINK && take_link(message->payload, links)) ||
                                     (message->type == RTM_NEWQDISC && take_queue(message->payload, links)));
    if (!is_good) {
      return Error{ErrorCode::kMalformed,
                   concat({"rtnetlink: the message at byte ", std::to_string(offset), " makes no sense"})};
    }
  }
  return links;
}

std::string encode_link_programs(const std::vector<LinkPrograms>& links) {
  std::string out;
  for (const auto& link : links) {
    ifinfomsg header{};
    header.ifi_index = static_cast<int>(link.index);
    std::string payload = header_bytes(header);
    put_text_attribute(payload, IFLA_IFNAME, link.name);
    std::string xdp;
    put_number_attribute(xdp, kXdpAttached, link.has_xdp ? 1 : 0, 1);
    put_attribute(payload, IFLA_XDP, xdp);
    put_message(out, RTM_NEWLINK, NLM_F_MULTI, payload);
  }
  for (const auto& link : links) {
    if (!link.has_ingress) continue;
    tcmsg header{};
    header.tcm_ifindex = static_cast<int>(link.index);
    std::string payload = header_bytes(header);
    put_text_attribute(payload, TCA_KIND, "clsact");
    put_message(out, RTM_NEWQDISC, NLM_F_MULTI, payload);
  }
  return out;
}

}  // namespace gpuharden
