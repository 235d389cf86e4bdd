// SPDX-License-Identifier: GPL-2.0-or-later
// The only door to the audited machine. Const throughout: an audit changes nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/files.h"
#include "engine/native/kernel_log.h"

namespace gpuharden {

enum class HostKind : std::uint8_t {
  kLive,     // this machine: files and kernel
  kImage,    // a tree of files; no kernel answers
  kCapture,  // a recorded machine: files, metadata and the kernel's raw answers
};
std::string_view to_string(HostKind kind);

struct KernelName {
  std::string sysname, nodename, release, version, machine;
};

// Raw answers of sock_diag (NETLINK_SOCK_DIAG), one inet_diag_msg message after the other as the
// kernel framed them (nlmsghdr included), for one family and protocol.
struct SocketDump {
  std::string messages;
};
enum class SocketProtocol : std::uint8_t { kTcp, kUdp };

// Raw answers of the packet filter (NFNL_SUBSYS_NFTABLES) and of rtnetlink, as engine/native/nft.h and
// engine/native/link_programs.h take them apart.
struct FilterDump {
  std::string rules;  // empty where nf_tables is not loaded: then there are no rules
  std::string links;
};

// Members of a group as the machine's name service knows it (getgrnam_r), directory users included.
struct DirectoryGroup {
  std::uint32_t gid = 0;
  std::vector<std::string> members;
};

class Host {
 public:
  virtual ~Host() = default;

  virtual HostKind kind() const = 0;
  // The audited root.
  virtual const Files& files() const = 0;
  // uname(2). kNotHeld in an image.
  virtual Result<KernelName> kernel_name() const = 0;
  // Whether facts of other users are visible: euid 0 or the reader's capabilities.
  virtual bool is_privileged() const = 0;
  // Seconds since the epoch; a capture answers with the time of the capture.
  virtual std::int64_t now() const = 0;

  // The root folder of a process, in which its paths are to be read; the host's own files where they
  // are the same. Not to outlive the host. kNotFound when the process is gone.
  virtual Result<std::shared_ptr<const Files>> process_root(std::int64_t pid) const = 0;
  // Listening TCP or bound UDP sockets of the host's network namespace. `family` is AF_INET or
  // AF_INET6. kUnsupported where the kernel facility is not there already (it is never loaded),
  // kNotHeld in an image.
  virtual Result<SocketDump> sockets(SocketProtocol protocol, int family) const = 0;
  // The packet filter of the network namespace that this process is in, and what sees packets before it.
  // kUnsupported where the kernel facility may have to be loaded first, kPermission without CAP_NET_ADMIN,
  // kNotHeld in an image.
  virtual Result<FilterDump> packet_filter() const = 0;
  // The raw AUDIT_GET answer, and the raw AUDIT_LIST_RULES messages, of the kernel's audit (see
  // engine/native/audit.h). kNotFound where the kernel has no audit or was booted with audit=0,
  // kUnsupported outside the initial namespaces, kNotHeld in an image.
  virtual Result<std::string> audit_status() const = 0;
  virtual Result<std::string> audit_rules() const = 0;
  // getgrnam_r in a child with a deadline; never enumerates. kNotHeld in an image, kNotFound when
  // there is no such group.
  virtual Result<DirectoryGroup> directory_group(std::string_view name) const = 0;
  // The kernel's log, as far back as it goes. kPermission where it is closed to this process,
  // kNotHeld in an image, kUnsupported where a capture has none.
  virtual Result<KernelLog> kernel_log() const = 0;
  // The text of /proc/keys as the one who started the program may see it: keys that are root's show
  // in a file that root opened, whoever reads it. kNotHeld in an image.
  virtual Result<std::string> kernel_keys() const = 0;
};

// Files of this machine for the program's own use (rules, reports): network file systems included.
Result<std::unique_ptr<Files>> open_own_files();
// This machine. Fails only when "/" or /proc/self/mountinfo cannot be opened.
Result<std::unique_ptr<Host>> open_live_host();
// The tree below `folder`. Fails when it is not a folder or holds no operating system.
Result<std::unique_ptr<Host>> open_image_host(const std::string& folder);
// What host.yaml of a capture says; every fault of it is named.
struct CapturedHost;
Result<std::shared_ptr<const CapturedHost>> read_captured_host(const std::string& folder);
// A folder with root/ and host.yaml (docs/capture.md).
Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder);
// The same for one whose host.yaml was read before: readers need not parse it again.
Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder,
                                                std::shared_ptr<const CapturedHost> captured);

}  // namespace gpuharden
