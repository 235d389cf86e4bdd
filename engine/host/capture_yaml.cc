// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/capture_yaml.h"

#include <array>
#include <cstdint>
#include <functional>

#include "engine/base/text.h"
#include "engine/host/capture_audit.h"
#include "engine/host/capture_reader.h"
#include "engine/host/capture_sockets.h"
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

std::map<std::string, std::string> read_xattrs(CaptureReader& reader, const YamlNode& node) {
  std::map<std::string, std::string> xattrs;
  if (!node.is_map()) reader.fail(node, "a map of names to hexadecimal bytes is expected");
  for (const auto& [name, value] : node.entries) {
    const auto bytes = from_hex(value.scalar);
    if (!bytes) reader.fail(value, "hexadecimal bytes are expected");
    xattrs[name.scalar] = bytes.value_or("");
  }
  return xattrs;
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
          {"xattr",
           [&](const YamlNode& n) {
             out.xattrs = std::make_shared<const std::map<std::string, std::string>>(read_xattrs(reader, n));
           }},
          {"error",
           [&](const YamlNode& n) {
             read_word<ErrorCode>(reader, n, kErrors, [&](ErrorCode code) {
               out.error =
                   std::make_shared<const Error>(Error{code, concat({path, ": ", to_string(code), " (as captured)"})});
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

// "1004:1004 0750 /home/alice"; the path may hold blanks.
bool parse_owner(std::string_view line, std::string& path, CapturedPath& out) {
  const auto colon = line.find(':');
  const auto slash = line.find('/');
  if (colon == std::string_view::npos || slash == std::string_view::npos || slash < colon) return false;
  const auto words = split_words(line.substr(0, slash));
  if (words.empty() || words.size() > 2) return false;
  constexpr std::uint64_t kNone = UINT64_MAX;
  const bool has_gid = colon < words[0].size();
  const auto uid = parse_unsigned(words[0].substr(0, colon)).value_or(kNone);
  const auto gid = has_gid ? parse_unsigned(words[0].substr(colon + 1)).value_or(kNone) : kNone;
  const auto mode = words.size() == 2 ? parse_unsigned(words[1], 8).value_or(kNone) : 0;
  if (uid > UINT32_MAX || gid > UINT32_MAX || mode > 07777) return false;
  path = line.substr(slash);
  out.uid = static_cast<std::uint32_t>(uid);
  out.gid = static_cast<std::uint32_t>(gid);
  if (words.size() == 2) out.mode = static_cast<std::uint32_t>(mode);
  return true;
}

void read_owners(CaptureReader& reader, const YamlNode& node, CapturedHost& host) {
  if (!node.is_scalar()) return reader.fail(node, "lines of text are expected");
  std::size_t number = 0;
  for (const auto line : split(node.scalar, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    std::string path;
    CapturedPath owner;
    if (!parse_owner(trim(line), path, owner)) {
      reader.fail(node, concat({"owners, line ", std::to_string(number), ": no \"UID:GID [MODE] PATH\""}));
    } else if (!host.paths.try_emplace(path, std::move(owner)).second) {
      reader.fail(node, concat({"owners, line ", std::to_string(number), ": the path is given twice"}));
    }
  }
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
  const YamlNode* owners = nullptr;
  if (errors.empty()) {
    reader.each(root,
                {
                    {"format", [&](const YamlNode& n) { reader.text(n, format); }},
                    {"kernel", [&](const YamlNode& n) { host.kernel = read_kernel(reader, n); }},
                    {"privileged", [&](const YamlNode& n) { reader.boolean(n, host.privileged); }},
                    {"now", [&](const YamlNode& n) { reader.number(n, host.now); }},
                    {"paths", [&](const YamlNode& n) { read_paths(reader, n, host); }},
                    {"owners", [&](const YamlNode& n) { owners = &n; }},
                    {"tcp", [&](const YamlNode& n) { host.tcp = read_captured_sockets(reader, n, kStateListen); }},
                    {"udp", [&](const YamlNode& n) { host.udp = read_captured_sockets(reader, n, kStateClose); }},
                    {"kernel-log", [&](const YamlNode& n) { reader.text(n, host.kernel_log.emplace()); }},
                    {"gpu-report", [&](const YamlNode& n) { reader.text(n, host.gpu_report.emplace()); }},
                    {"nft", [&](const YamlNode& n) { host.nft = read_nft(reader, n); }},
                    {"links", [&](const YamlNode& n) { host.links = read_links(reader, n); }},
                    {"directory-groups", [&](const YamlNode& n) { read_groups(reader, n, host); }},
                    {"audit", [&](const YamlNode& n) { audit = &n; }},
                });
    if (owners != nullptr) read_owners(reader, *owners, host);
    // The words of its rules mean what they mean on that machine.
    if (audit != nullptr)
      host.audit = read_captured_audit(reader, *audit, host.kernel ? host.kernel->machine : "x86_64");
    if (format != "gpuharden.capture/1") reader.fail(root, "format: gpuharden.capture/1 is expected");
  }
  if (!reader.faults().empty()) return Error{ErrorCode::kMalformed, join(reader.faults(), "\n")};
  return host;
}

}  // namespace gpuharden
