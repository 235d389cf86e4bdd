// SPDX-License-Identifier: GPL-2.0-or-later
// A recorded machine: root/ with its files, host.yaml with everything else.
#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/host/cached_files.h"
#include "engine/host/capture_files.h"
#include "engine/host/capture_yaml.h"
#include "engine/host/gpu_report_door.h"
#include "engine/host/host.h"
#include "engine/host/root_files.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHostYamlCap = std::size_t{64} << 20U;

class CaptureHost final : public Host, public GpuReportDoor {
 public:
  CaptureHost(std::unique_ptr<RootFiles> tree, MountTable mounts, std::shared_ptr<const CapturedHost> captured)
      : tree_(std::move(tree)),
        mounts_(std::move(mounts)),
        held_(std::move(captured)),
        captured_(*held_),
        files_(*tree_, mounts_, captured_, ""),
        cached_(files_) {}

  HostKind kind() const override { return HostKind::kCapture; }
  const Files& files() const override { return cached_; }
  bool is_privileged() const override { return captured_.privileged; }
  std::int64_t now() const override { return captured_.now; }

  Result<KernelName> kernel_name() const override {
    if (!captured_.kernel) return Error{ErrorCode::kNotHeld, "uname: not captured"};
    return *captured_.kernel;
  }

  Result<std::shared_ptr<const Files>> process_root(std::int64_t pid) const override {
    const std::string folder = "/proc/" + std::to_string(pid);
    if (!files_.stat(folder)) return Error{ErrorCode::kNotFound, folder + ": no such process"};
    const auto root = files_.read_link(folder + "/root");
    const std::string prefix = root && *root != "/" ? *root : "";
    if (prefix.empty()) return not_owned(cached_);
    return std::shared_ptr<const Files>(std::make_shared<CaptureFiles>(*tree_, mounts_, captured_, prefix));
  }

  Result<SocketDump> sockets(SocketProtocol protocol, int family) const override {
    const auto& all = protocol == SocketProtocol::kTcp ? captured_.tcp : captured_.udp;
    if (!all) return Error{ErrorCode::kUnsupported, "sock_diag: not captured"};
    std::vector<InetSocket> chosen;
    std::copy_if(all->begin(), all->end(), std::back_inserter(chosen),
                 [&](const InetSocket& socket) { return socket.family == family; });
    return SocketDump{encode_inet_sockets(chosen)};
  }

  Result<FilterDump> packet_filter() const override {
    if (!captured_.nft) return Error{ErrorCode::kUnsupported, "nf_tables: not captured"};
    if (!captured_.links) return Error{ErrorCode::kUnsupported, "rtnetlink: not captured"};
    return FilterDump{encode_nft(*captured_.nft), encode_link_programs(*captured_.links)};
  }

  Result<std::string> audit_status() const override {
    if (captured_.audit.error) return *captured_.audit.error;
    return encode_audit_status(captured_.audit.status);
  }

  Result<std::string> audit_rules() const override {
    if (captured_.audit.error) return *captured_.audit.error;
    return encode_captured_rules(captured_.audit, files_);
  }

  Result<DirectoryGroup> directory_group(std::string_view name) const override {
    if (captured_.directory_is_down)
      return Error{ErrorCode::kTimeout, concat({name, ": the name service did not answer"})};
    const auto found = captured_.groups.find(name);
    if (found == captured_.groups.end()) return Error{ErrorCode::kNotFound, concat({name, ": no such group"})};
    return found->second;
  }

  Result<KernelLog> kernel_log() const override {
    if (!captured_.kernel_log) return Error{ErrorCode::kUnsupported, "the kernel's log: not captured"};
    return KernelLog{*captured_.kernel_log, false};
  }

  Result<std::string> gpu_report() const override {
    if (!captured_.gpu_report) return Error{ErrorCode::kUnsupported, "the GPUs: not examined for the capture"};
    return *captured_.gpu_report;
  }

  Result<std::string> kernel_keys() const override {
    const auto file = files_.read("/proc/keys", kDefaultReadCap);
    if (!file) return file.error();
    return file->bytes;
  }

 private:
  std::unique_ptr<RootFiles> tree_;
  MountTable mounts_;
  std::shared_ptr<const CapturedHost> held_;
  const CapturedHost& captured_;
  CaptureFiles files_;
  CachedFiles cached_;
};

}  // namespace

Result<std::shared_ptr<const CapturedHost>> read_captured_host(const std::string& folder) {
  GH_ASSIGN_OR_RETURN(const auto top, RootFiles::open(folder, {}));
  GH_ASSIGN_OR_RETURN(const FileBytes text, top->read("/host.yaml", kHostYamlCap));
  GH_ASSIGN_OR_RETURN(CapturedHost captured, parse_captured_host(text.bytes, folder + "/host.yaml"));
  return std::make_shared<const CapturedHost>(std::move(captured));
}

Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder) {
  GH_ASSIGN_OR_RETURN(auto captured, read_captured_host(folder));
  return open_capture_host(folder, std::move(captured));
}

Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder,
                                                std::shared_ptr<const CapturedHost> captured) {
  // The tree itself holds no mounts: what was recorded is kept out while paths are resolved.
  GH_ASSIGN_OR_RETURN(auto tree, RootFiles::open(folder + "/root", {}));
  MountTable mounts;
  for (const auto* path : {"/proc/self/mountinfo", "/proc/1/mountinfo"}) {
    if (const auto recorded = tree->read(path, kHostYamlCap)) mounts.add_barriers(MountTable::parse(recorded->bytes));
  }
  return std::unique_ptr<Host>(std::make_unique<CaptureHost>(std::move(tree), std::move(mounts), std::move(captured)));
}

}  // namespace gpuharden
