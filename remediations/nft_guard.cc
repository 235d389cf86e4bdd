// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/nft_guard.h"

#include <arpa/inet.h>
#include <net/if.h>

#include <optional>
#include <set>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The audit takes wider networks for everybody.
constexpr std::uint64_t kShortest4 = 8;
constexpr std::uint64_t kShortest6 = 16;

constexpr std::string_view kFirstLines =
    "#!/usr/sbin/nft -f\n"
    "# Made by gpuharden, which replaces it as a whole: do not edit. gpuharden rollback takes it away.\n";
constexpr std::string_view kPorts = "# ports: ";
constexpr std::string_view kPeers = "# peers: ";
constexpr std::string_view kBridges = "# bridges: ";

Error bad(std::string_view what, std::string_view why) {
  return {ErrorCode::kMalformed, concat({"guard: ", escape_for_terminal(what), ": ", why})};
}

struct Peer {
  bool is_ipv6 = false;
  std::string text;  // as nft reads it
};

// The network's own address: nft 1.0.2 keeps the bits of the host and lists another text.
std::string network_text(int family, unsigned char* bytes, std::size_t size, std::uint64_t length) {
  for (std::size_t bit = length; bit < 8 * size; ++bit)
    bytes[bit / 8] = static_cast<unsigned char>(bytes[bit / 8] & ~(0x80U >> (bit % 8)));
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(family, bytes, text, sizeof text);
  return length == 8 * size ? text : concat({text, "/", std::to_string(length)});
}

Result<Peer> read_peer(const std::string& text) {
  const auto slash = text.find('/');
  const std::string address = text.substr(0, slash);
  unsigned char bytes[16] = {};
  const bool is_ipv6 = address.find(':') != std::string::npos;
  const int family = is_ipv6 ? AF_INET6 : AF_INET;
  if (::inet_pton(family, address.c_str(), bytes) != 1 || address.size() != std::string(address.c_str()).size())
    return bad(text, "is no address");
  const std::size_t size = is_ipv6 ? 16 : 4;
  const auto length =
      slash == std::string::npos ? std::optional<std::uint64_t>(8 * size) : parse_unsigned(text.substr(slash + 1));
  if (!length || *length > 8 * size) return bad(text, "is no network");
  if (*length < (is_ipv6 ? kShortest6 : kShortest4)) return bad(text, "is so wide that it names nobody");
  return Peer{is_ipv6, network_text(family, bytes, size, *length)};
}

Status check_interface(std::string_view name) {
  if (name.empty() || name.size() >= IFNAMSIZ || name == "." || name == "..") return bad(name, "is no interface");
  for (const char& c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                          c == '_' || c == '.' || c == '@' || c == ':';
    const bool is_end = c == '*' && &c == &name.back() && name.size() > 1;
    if (!is_plain && !is_end) return bad(name, "is no name of an interface that can be guarded");
  }
  return {};
}

std::string set_text(std::string_view name, std::string_view type, std::string_view flags,
                     const std::vector<std::string>& elements) {
  return concat(
      {"\tset ", name, " {\n\t\ttype ", type, "\n", flags, "\t\telements = { ", join(elements, ", "), " }\n\t}\n\n"});
}

}  // namespace

Result<std::string> guard_table(const GuardPlan& plan) {
  if (plan.ports.empty()) return bad("ports", "there is none to guard");
  std::vector<std::string> ports, peers4, peers6;
  for (const auto port : std::set<std::uint16_t>(plan.ports.begin(), plan.ports.end())) {
    if (port == 0) return bad("port 0", "is no port");
    ports.push_back(std::to_string(port));
  }
  for (const auto& text : std::set<std::string>(plan.peers.begin(), plan.peers.end())) {
    GH_ASSIGN_OR_RETURN(const Peer peer, read_peer(text));
    (peer.is_ipv6 ? peers6 : peers4).push_back(peer.text);
  }
  std::string bridges;
  for (const auto& name : std::set<std::string>(plan.bridges.begin(), plan.bridges.end())) {
    GH_RETURN_IF_ERROR(check_interface(name));
    bridges += concat({"\t\tiifname \"", name, "\" accept\n"});
  }
  constexpr std::string_view kNetworks = "\t\tflags interval\n\t\tauto-merge\n";
  std::string text = "table inet gpuharden {\n" + set_text("guarded", "inet_service", "", ports);
  if (!peers4.empty()) text += set_text("peers4", "ipv4_addr", kNetworks, peers4);
  if (!peers6.empty()) text += set_text("peers6", "ipv6_addr", kNetworks, peers6);
  text += "\tchain allowed {\n";
  if (!peers4.empty()) text += "\t\tip saddr @peers4 accept\n";
  if (!peers6.empty()) text += "\t\tip6 saddr @peers6 accept\n";
  text += concat({bridges, "\t\tcounter drop\n\t}\n\n"});
  text +=
      "\tchain guard {\n"
      "\t\ttype filter hook prerouting priority dstnat - 10; policy accept;\n"
      "\t\tiifname \"lo\" accept\n"
      "\t\tct state established,related accept\n"
      "\t\tfib daddr type local tcp dport @guarded jump allowed\n"
      "\t}\n}\n";
  return text;
}

Result<std::string> guard_file(const GuardPlan& plan) {
  GH_ASSIGN_OR_RETURN(const std::string table, guard_table(plan));
  std::vector<std::string> ports;
  for (const auto port : plan.ports) ports.push_back(std::to_string(port));
  return concat({kFirstLines, kPorts, join(ports, " "), "\n", kPeers, join(plan.peers, " "), "\n", kBridges,
                 join(plan.bridges, " "), "\n", "table inet gpuharden\ndelete table inet gpuharden\n", table});
}

Result<GuardPlan> read_guard_file(std::string_view text) {
  GuardPlan plan;
  for (const auto line : split(text, '\n')) {
    if (line.starts_with(kPorts)) {
      for (const auto word : split_words(line.substr(kPorts.size())))
        plan.ports.push_back(static_cast<std::uint16_t>(parse_unsigned(word).value_or(0)));
    } else if (line.starts_with(kPeers)) {
      for (const auto word : split_words(line.substr(kPeers.size()))) plan.peers.emplace_back(word);
    } else if (line.starts_with(kBridges)) {
      for (const auto word : split_words(line.substr(kBridges.size()))) plan.bridges.emplace_back(word);
    }
  }
  // Whatever was read: what does not make the same file again is not the plan of this one.
  const auto same = guard_file(plan);
  if (same && *same == text) return plan;
  return Error{ErrorCode::kMalformed, concat({kGuardFile, " was changed by someone else"})};
}

std::string guard_unit() {
  return "# Made by gpuharden, which replaces it as a whole: do not edit. gpuharden rollback takes it away.\n"
         "[Unit]\n"
         "Description=Keep strangers from the ports that gpuharden guards\n"
         "Documentation=man:gpuharden(8)\n"
         "DefaultDependencies=no\n"
         "ConditionPathExists=/etc/gpuharden/guard.nft\n"
         "After=nftables.service\n"
         "PartOf=nftables.service\n"
         "ReloadPropagatedFrom=nftables.service\n"
         "Wants=network-pre.target\n"
         "Before=network-pre.target shutdown.target\n"
         "Conflicts=shutdown.target\n"
         "\n"
         "[Service]\n"
         "Type=oneshot\n"
         "RemainAfterExit=yes\n"
         "ExecStart=/usr/sbin/nft -f /etc/gpuharden/guard.nft\n"
         "ExecReload=/usr/sbin/nft -f /etc/gpuharden/guard.nft\n"
         "\n"
         "[Install]\n"
         "WantedBy=sysinit.target nftables.service\n";
}

}  // namespace gpuharden
