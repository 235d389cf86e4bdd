// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/nft.h"

#include <libmnl/libmnl.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <sys/time.h>

#include <cerrno>
#include <set>
#include <tuple>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"

namespace gpuharden {
namespace {

using Socket = Handle<mnl_socket, &mnl_socket_close>;

constexpr int kTries = 5;
constexpr std::size_t kRulesetCap = std::size_t{64} << 20U;
constexpr std::size_t kSetCap = std::size_t{4} << 20U;  // some 80,000 elements
constexpr std::size_t kAllSetsCap = std::size_t{16} << 20U;
constexpr time_t kSilenceSeconds = 5;

// One answer in several datagrams. `is_cut`: it was longer than the cap and the rest was not read.
struct Answer {
  std::string messages;
  bool is_cut = false;
  bool has_changed = false;  // the rules changed while they were read: ask again
};

Error bad_answer() { return {ErrorCode::kMalformed, "nf_tables: an answer that makes no sense"}; }

// Appends one datagram's messages; true when the answer is over.
Result<bool> append_datagram(std::string_view bytes, Answer& answer) {
  while (!bytes.empty()) {
    const auto whole = bytes;
    const auto message = next_message(bytes);
    if (!message) return bad_answer();
    answer.has_changed = answer.has_changed || (message->flags & NLM_F_DUMP_INTR) != 0;
    if (message->type == NLMSG_DONE) return true;
    if (message->type == NLMSG_ERROR) {
      std::int32_t code = 0;
      if (message->payload.size() < sizeof code) return bad_answer();
      message->payload.copy(reinterpret_cast<char*>(&code), sizeof code);
      if (code == 0) return true;
      return error_from_errno(-code, "nf_tables");
    }
    answer.messages.append(whole.substr(0, whole.size() - bytes.size()));
    if ((message->flags & NLM_F_MULTI) == 0) return true;
  }
  return false;
}

class Connection {
 public:
  static Result<Connection> open() {
    Connection connection;
    connection.socket_.reset(mnl_socket_open2(NETLINK_NETFILTER, SOCK_CLOEXEC));
    if (!connection.socket_) return error_from_errno(errno, "nf_tables: opening netlink");
    if (mnl_socket_bind(connection.socket_.get(), 0, MNL_SOCKET_AUTOPID) != 0)
      return error_from_errno(errno, "nf_tables: binding netlink");
    const timeval silence{kSilenceSeconds, 0};
    ::setsockopt(mnl_socket_get_fd(connection.socket_.get()), SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
    return connection;
  }

  Result<Answer> ask(unsigned message, unsigned flags, std::string_view payload, std::size_t cap) {
    std::string request;
    put_message(request, static_cast<std::uint16_t>(NFNL_SUBSYS_NFTABLES << 8U | message),
                static_cast<std::uint16_t>(NLM_F_REQUEST | flags), payload);
    if (mnl_socket_sendto(socket_.get(), request.data(), request.size()) < 0)
      return error_from_errno(errno, "nf_tables: asking");
    Answer answer;
    for (;;) {
      const auto length = mnl_socket_recvfrom(socket_.get(), buffer_.data(), buffer_.size());
      if (length < 0 && errno == EINTR) continue;
      if (length < 0) return error_from_errno(errno, "nf_tables: reading");
      GH_ASSIGN_OR_RETURN(const bool is_over,
                          append_datagram({buffer_.data(), static_cast<std::size_t>(length)}, answer));
      if (is_over) return answer;
      answer.is_cut = answer.messages.size() > cap;
      if (answer.is_cut) return answer;
    }
  }

 private:
  Socket socket_;
  std::string buffer_ = std::string(65536, '\0');
};

std::string any_family() { return std::string(sizeof(nfgenmsg), '\0'); }

Result<std::uint64_t> generation(Connection& kernel) {
  GH_ASSIGN_OR_RETURN(const Answer answer, kernel.ask(NFT_MSG_GETGEN, 0, any_family(), kRulesetCap));
  std::string_view bytes = answer.messages;
  const auto message = next_message(bytes);
  if (!message || message->payload.size() < sizeof(nfgenmsg)) return bad_answer();
  const auto id = find_attribute(message->payload.substr(sizeof(nfgenmsg)), NFTA_GEN_ID);
  return id ? network_number(*id).value_or(0) : 0;
}

// Sets that a rule looks into: only their elements can decide anything.
std::set<std::tuple<int, std::string, std::string>> sets_in_use(const NftRuleset& ruleset) {
  std::set<std::tuple<int, std::string, std::string>> names;
  for (const auto& rule : ruleset.rules) {
    for (const auto& expression : rule.expressions) {
      const auto* name = expression.name == "lookup" ? expression.find(NFTA_LOOKUP_SET) : nullptr;
      if (name != nullptr) names.emplace(rule.family, rule.table, text_until_nul(*name));
    }
  }
  return names;
}

// False when the rules changed meanwhile.
Result<bool> append_elements(const NftSet& set, std::string& messages, std::size_t& left) {
  std::string payload = any_family();
  payload[0] = static_cast<char>(set.family);
  put_text_attribute(payload, NFTA_SET_ELEM_LIST_TABLE, set.table);
  put_text_attribute(payload, NFTA_SET_ELEM_LIST_SET, set.name);
  // A connection of its own: what a dump that is broken off still sends must not be taken for another's.
  GH_ASSIGN_OR_RETURN(Connection kernel, Connection::open());
  auto answer = kernel.ask(NFT_MSG_GETSETELEM, NLM_F_DUMP, payload, std::min(kSetCap, left));
  if (!answer && answer.error().code == ErrorCode::kNotFound) return false;
  if (!answer) return answer.error();
  if (answer->has_changed) return false;
  left -= std::min(left, answer->messages.size());
  messages += answer->messages;
  if (answer->is_cut) put_message(messages, NLMSG_OVERRUN, 0, payload);
  return true;
}

// Nothing when the rules changed meanwhile.
Result<std::optional<std::string>> try_dump() {
  GH_ASSIGN_OR_RETURN(Connection kernel, Connection::open());
  GH_ASSIGN_OR_RETURN(const std::uint64_t before, generation(kernel));
  std::string messages;
  for (const unsigned what : {NFT_MSG_GETTABLE, NFT_MSG_GETCHAIN, NFT_MSG_GETRULE, NFT_MSG_GETSET}) {
    GH_ASSIGN_OR_RETURN(const Answer answer, kernel.ask(what, NLM_F_DUMP, any_family(), kRulesetCap));
    if (answer.is_cut) return Error{ErrorCode::kTooLarge, "nf_tables: more than 64 MiB of rules"};
    if (answer.has_changed) return std::optional<std::string>();
    messages += answer.messages;
  }
  GH_ASSIGN_OR_RETURN(const NftRuleset ruleset, decode_nft(messages));
  const auto used = sets_in_use(ruleset);
  std::size_t left = kAllSetsCap;
  for (const auto& set : ruleset.sets) {
    if (!used.contains({set.family, set.table, set.name})) continue;
    GH_ASSIGN_OR_RETURN(const bool is_whole, append_elements(set, messages, left));
    if (!is_whole) return std::optional<std::string>();
  }
  GH_ASSIGN_OR_RETURN(const std::uint64_t after, generation(kernel));
  return before == after ? std::optional(std::move(messages)) : std::nullopt;
}

}  // namespace

Result<std::string> dump_nft() {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    GH_ASSIGN_OR_RETURN(std::optional<std::string> messages, try_dump());
    if (messages) return std::move(*messages);
  }
  return Error{ErrorCode::kIo, "nf_tables: the rules changed each time they were read"};
}

}  // namespace gpuharden
