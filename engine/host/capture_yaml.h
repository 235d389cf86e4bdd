// SPDX-License-Identifier: GPL-2.0-or-later
// host.yaml of a capture: what a folder in git cannot hold.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/capture_audit.h"
#include "engine/host/host.h"
#include "engine/native/link_programs.h"
#include "engine/native/nft.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {

// What is laid over one path. Fields that are not set are the tree's own.
struct CapturedPath {
  std::optional<FileType> type;  // set: the node exists whether or not the tree has it
  std::optional<std::uint32_t> mode, uid, gid;
  std::uint32_t device_major = 0;
  std::uint32_t device_minor = 0;
  std::optional<std::uint64_t> size;
  std::optional<std::int64_t> mtime;
  std::string link;  // of a symlink that the tree does not hold
  // Few paths have these, and there are tens of thousands of paths.
  std::shared_ptr<const std::map<std::string, std::string>> xattrs;  // raw bytes
  std::shared_ptr<const Error> error;                                // every look at the path gives this
};

struct CapturedHost {
  std::optional<KernelName> kernel;
  bool privileged = true;
  std::int64_t now = 0;
  std::map<std::string, CapturedPath, std::less<>> paths;
  std::optional<std::vector<InetSocket>> tcp, udp;  // unset: the facility was not there
  std::optional<NftRuleset> nft;                    // unset: not captured
  std::optional<std::vector<LinkPrograms>> links;   // the same
  std::map<std::string, DirectoryGroup, std::less<>> groups;
  bool directory_is_down = false;
  std::optional<std::string> kernel_log;  // unset: it could not be had
  std::optional<std::string> gpu_report;  // unset: nobody asked the GPUs
  CapturedAudit audit;
};

// On failure the error names every fault with file, line and column.
Result<CapturedHost> parse_captured_host(std::string_view text, std::string_view file);

}  // namespace gpuharden
