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

  // The root folder of a process, in which its paths are to be read. kNotFound when it is gone.
  virtual Result<std::unique_ptr<Files>> process_root(std::int64_t pid) const = 0;
  // Listening TCP or bound UDP sockets of the host's network namespace. `family` is AF_INET or
  // AF_INET6. kUnsupported where the kernel facility is not there already (it is never loaded),
  // kNotHeld in an image.
  virtual Result<SocketDump> sockets(SocketProtocol protocol, int family) const = 0;
  // The raw AUDIT_GET answer, and the raw AUDIT_LIST_RULES messages, of the kernel's audit (see
  // engine/native/audit.h). kNotFound where the kernel has no audit or was booted with audit=0,
  // kUnsupported outside the initial namespaces, kNotHeld in an image.
  virtual Result<std::string> audit_status() const = 0;
  virtual Result<std::string> audit_rules() const = 0;
  // getgrnam_r in a child with a deadline; never enumerates. kNotHeld in an image, kNotFound when
  // there is no such group.
  virtual Result<DirectoryGroup> directory_group(std::string_view name) const = 0;
};

// Files of this machine for the program's own use (rules, reports): network file systems included.
Result<std::unique_ptr<Files>> open_own_files();
// This machine. Fails only when "/" or /proc/self/mountinfo cannot be opened.
Result<std::unique_ptr<Host>> open_live_host();
// The tree below `folder`. Fails when it is not a folder or holds no operating system.
Result<std::unique_ptr<Host>> open_image_host(const std::string& folder);
// A folder with root/ and host.yaml (docs/capture.md). Fails with every fault of host.yaml named.
Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder);

}  // namespace gpuharden
