// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/capture_yaml.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <array>
#include <functional>

#include "engine/base/text.h"
#include "engine/host/capture_audit.h"
#include "engine/host/capture_reader.h"
#include "engine/native/nft_text.h"
#include "engine/native/yaml.h"

namespace gpuharden {
namespace {

constexpr std::uint8_t kStateListen = 10;
constexpr std::uint8_t kStateClose = 7;

constexpr std::array<std::pair<std::string_view, FileType>, 7> kTypes = {{{"file", FileType::kRegular},
                                                                          {"directory", FileType::kDirectory},
                                                                          {"symlink", FileType::kSymlink},
                                                                          {"char", FileType::kCharacterDevice},
                                                                          {"block", FileType::kBlockDevice},
                                                                          {"fifo", FileType::kFifo},
                                                                          {"socket", FileType::kSocket}}};

constexpr std::array<std::pair<std::string_view, ErrorCode>, 5> kErrors = {{{"permission", ErrorCode::kPermission},
                                                                            {"io", ErrorCode::kIo},
                                                                            {"remote", ErrorCode::kRemote},
                                                                            {"timeout", ErrorCode::kTimeout},
                                                                            {"not-found", ErrorCode::kNotFound}}};

std::optional<std::string> from_hex(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const auto byte = parse_unsigned(text.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return text.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

void read_xattrs(CaptureReader& reader, const YamlNode& node, std::map<std::string, std::string>& xattrs) {
  if (!node.is_map()) return reader.fail(node, "a map of names to hexadecimal bytes is expected");
  for (const auto& [name, value] : node.entries) {
    const auto bytes = from_hex(value.scalar);
    if (!bytes) reader.fail(value, "hexadecimal bytes are expected");
    xattrs[name.scalar] = bytes.value_or("");
  }
}

template <typename Enum, std::size_t kSize>
void read_word(CaptureReader& reader, const YamlNode& node,
               const std::array<std::pair<std::string_view, Enum>, kSize>& words,
               const std::function<void(Enum)>& take) {
  for (const auto& [word, value] : words) {
    if (word == node.scalar) return take(value);
  }
  reader.fail(node, concat({"unknown word \"", node.scalar, "\""}));
}

CapturedPath read_path(CaptureReader& reader, const std::string& path, const YamlNode& node) {
  CapturedPath out;
  reader.each(
      node,
      {
          {"type",
           [&](const YamlNode& n) { read_word<FileType>(reader, n, kTypes, [&](FileType type) { out.type = type; }); }},
          {"mode", [&](const YamlNode& n) { reader.mode(n, out.mode); }},
          {"uid", [&](const YamlNode& n) { reader.number(n, out.uid); }},
          {"gid", [&](const YamlNode& n) { reader.number(n, out.gid); }},
          {"major", [&](const YamlNode& n) { reader.number(n, out.device_major); }},
          {"minor", [&](const YamlNode& n) { reader.number(n, out.device_minor); }},
          {"size", [&](const YamlNode& n) { reader.number(n, out.size); }},
          {"mtime", [&](const YamlNode& n) { reader.number(n, out.mtime); }},
          {"link", [&](const YamlNode& n) { reader.text(n, out.link); }},
          {"xattr", [&](const YamlNode& n) { read_xattrs(reader, n, out.xattrs); }},
          {"error",
           [&](const YamlNode& n) {
             read_word<ErrorCode>(reader, n, kErrors, [&](ErrorCode code) {
               out.error = Error{code, concat({path, ": ", to_string(code), " (as captured)"})};
             });
           }},
      });
  if (!out.link.empty()) out.type = FileType::kSymlink;
  return out;
}

void read_paths(CaptureReader& reader, const YamlNode& node, CapturedHost& host) {
  if (!node.is_map()) return reader.fail(node, "a map of paths is expected");
  for (const auto& [path, value] : node.entries) {
    if (path.scalar.empty() || path.scalar[0] != '/') {
      reader.fail(path, "an absolute path is expected");
      continue;
    }
    host.paths[path.scalar] = read_path(reader, path.scalar, value);
  }
}

void read_address(CaptureReader& reader, const YamlNode& node, InetSocket& socket) {
  char bytes[16] = {};
  const int family = node.scalar.find(':') == std::string::npos ? AF_INET : AF_INET6;
  if (::inet_pton(family, node.scalar.c_str(), bytes) != 1) return reader.fail(node, "an address is expected");
  socket.family = family;
  socket.local_address.assign(bytes, family == AF_INET ? 4 : 16);
}

std::vector<InetSocket> read_sockets(CaptureReader& reader, const YamlNode& node, std::uint8_t state) {
  std::vector<InetSocket> sockets;
  if (!node.is_sequence()) reader.fail(node, "a list of sockets is expected");
  for (const auto& item : node.items) {
    InetSocket socket;
    socket.state = state;
    bool v6_only = false;
    reader.each(item, {
                          {"address", [&](const YamlNode& n) { read_address(reader, n, socket); }},
                          {"port", [&](const YamlNode& n) { reader.number(n, socket.local_port); }},
                          {"uid", [&](const YamlNode& n) { reader.number(n, socket.uid); }},
                          {"inode", [&](const YamlNode& n) { reader.number(n, socket.inode); }},
                          {"interface", [&](const YamlNode& n) { reader.number(n, socket.interface); }},
                          {"v6only", [&](const YamlNode& n) { reader.boolean(n, v6_only); }},
                      });
    if (socket.family == AF_INET6) socket.v6_only = v6_only;
    sockets.push_back(std::move(socket));
  }
  return sockets;
}

// A block of lines, one for each thing.
NftRuleset read_nft(CaptureReader& reader, const YamlNode& node) {
  std::vector<NftTextFault> faults;
  if (!node.is_scalar()) reader.fail(node, "lines of text are expected");
  auto ruleset = parse_nft_text(node.scalar, faults);
  for (const auto& fault : faults)
    reader.fail(node, concat({"nft, line ", std::to_string(fault.line), ": ", fault.sentence}));
  return ruleset;
}

std::vector<LinkPrograms> read_links(CaptureReader& reader, const YamlNode& node) {
  std::vector<LinkPrograms> links;
  if (!node.is_sequence()) reader.fail(node, "a list of interfaces is expected");
  for (const auto& item : node.items) {
    LinkPrograms link;
    reader.each(item, {
                          {"name", [&](const YamlNode& n) { reader.text(n, link.name); }},
                          {"index", [&](const YamlNode& n) { reader.number(n, link.index); }},
                          {"xdp", [&](const YamlNode& n) { reader.boolean(n, link.has_xdp); }},
                          {"ingress", [&](const YamlNode& n) { reader.boolean(n, link.has_ingress); }},
                      });
    links.push_back(std::move(link));
  }
  return links;
}

KernelName read_kernel(CaptureReader& reader, const YamlNode& node) {
  KernelName name{"Linux", "host", "", "", "x86_64"};
  reader.each(node, {
                        {"sysname", [&](const YamlNode& n) { reader.text(n, name.sysname); }},
                        {"nodename", [&](const YamlNode& n) { reader.text(n, name.nodename); }},
                        {"release", [&](const YamlNode& n) { reader.text(n, name.release); }},
                        {"version", [&](const YamlNode& n) { reader.text(n, name.version); }},
                        {"machine", [&](const YamlNode& n) { reader.text(n, name.machine); }},
                    });
  return name;
}

void read_groups(CaptureReader& reader, const YamlNode& node, CapturedHost& host) {
  if (node.is_scalar() && node.scalar == "down") {
    host.directory_is_down = true;
    return;
  }
  if (!node.is_map()) return reader.fail(node, "a map of group names, or \"down\", is expected");
  for (const auto& [name, value] : node.entries) {
    DirectoryGroup group;
    reader.each(value, {
                           {"gid", [&](const YamlNode& n) { reader.number(n, group.gid); }},
                           {"members",
                            [&](const YamlNode& n) {
                              for (const auto& member : n.items) group.members.push_back(member.scalar);
                            }},
                       });
    host.groups[name.scalar] = std::move(group);
  }
}

}  // namespace

Result<CapturedHost> parse_captured_host(std::string_view text, std::string_view file) {
  CaptureReader reader(file);
  std::vector<YamlError> errors;
  const YamlNode root = parse_yaml(text, errors);
  for (const auto& error : errors) {
    YamlNode place;
    place.place = error.place;
    reader.fail(place, error.sentence);
  }
  CapturedHost host;
  std::string format;
  const YamlNode* audit = nullptr;
  if (errors.empty()) {
    reader.each(root, {
                          {"format", [&](const YamlNode& n) { reader.text(n, format); }},
                          {"kernel", [&](const YamlNode& n) { host.kernel = read_kernel(reader, n); }},
                          {"privileged", [&](const YamlNode& n) { reader.boolean(n, host.privileged); }},
                          {"now", [&](const YamlNode& n) { reader.number(n, host.now); }},
                          {"paths", [&](const YamlNode& n) { read_paths(reader, n, host); }},
                          {"tcp", [&](const YamlNode& n) { host.tcp = read_sockets(reader, n, kStateListen); }},
                          {"udp", [&](const YamlNode& n) { host.udp = read_sockets(reader, n, kStateClose); }},
                          {"kernel-log", [&](const YamlNode& n) { reader.text(n, host.kernel_log.emplace()); }},
                          {"gpu-report", [&](const YamlNode& n) { reader.text(n, host.gpu_report.emplace()); }},
                          {"nft", [&](const YamlNode& n) { host.nft = read_nft(reader, n); }},
                          {"links", [&](const YamlNode& n) { host.links = read_links(reader, n); }},
                          {"directory-groups", [&](const YamlNode& n) { read_groups(reader, n, host); }},
                          {"audit", [&](const YamlNode& n) { audit = &n; }},
                      });
    // The words of its rules mean what they mean on that machine.
    if (audit != nullptr)
      host.audit = read_captured_audit(reader, *audit, host.kernel ? host.kernel->machine : "x86_64");
    if (format != "gpuharden.capture/1") reader.fail(root, "format: gpuharden.capture/1 is expected");
  }
  if (!reader.faults().empty()) return Error{ErrorCode::kMalformed, join(reader.faults(), "\n")};
  return host;
}

}  // namespace gpuharden
