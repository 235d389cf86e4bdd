// SPDX-License-Identifier: GPL-2.0-or-later
// This machine.
#include <fcntl.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "engine/base/text.h"
#include "engine/host/cached_files.h"
#include "engine/host/host.h"
#include "engine/host/name_service.h"
#include "engine/host/root_files.h"
#include "engine/native/audit.h"
#include "engine/native/link_programs.h"
#include "engine/native/nft.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMountinfoCap = std::size_t{16} << 20U;
constexpr std::size_t kKeysCap = std::size_t{1} << 20U;
constexpr std::size_t kKernelLogCap = std::size_t{8} << 20U;

// Descriptors are shared between readers, and so is their place in the file.
Result<std::string> read_from_start(int fd, const std::string& path, std::size_t cap) {
  std::string text;
  std::string block(65536, '\0');
  for (;;) {
    const auto count = ::pread(fd, block.data(), block.size(), static_cast<off_t>(text.size()));
    if (count < 0) return error_from_errno(errno, path);
    if (count == 0) return text;
    text.append(block, 0, static_cast<std::size_t>(count));
    if (text.size() > cap) return Error{ErrorCode::kTooLarge, concat({path, ": too large"})};
  }
}

// mountinfo is read before anything else: it never blocks.
Result<std::string> read_mountinfo(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return error_from_errno(errno, path);
  return read_from_start(fd.get(), path, kMountinfoCap);
}

bool has_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0) return false;
  return (data[capability / 32].effective & (1U << (capability % 32))) != 0;
}

class LiveHost final : public Host {
 public:
  explicit LiveHost(std::unique_ptr<RootFiles> files)
      : files_(std::move(files)),
        cached_(*files_),
        keys_(::open("/proc/keys", O_RDONLY | O_CLOEXEC)),
        keys_error_(errno) {}

  // Nothing is asked where all names are in local files.
  Status start_name_service() {
    const auto nsswitch = files_->read("/etc/nsswitch.conf", kDefaultReadCap);
    if (!nsswitch || !asks_a_directory(nsswitch->bytes, "group")) return {};
    return names_.start();
  }

  HostKind kind() const override { return HostKind::kLive; }
  const Files& files() const override { return cached_; }
  bool is_privileged() const override { return has_capability(CAP_DAC_READ_SEARCH) && has_capability(CAP_SYS_PTRACE); }
  std::int64_t now() const override { return ::time(nullptr); }

  Result<KernelName> kernel_name() const override {
    utsname name{};
    if (::uname(&name) != 0) return error_from_errno(errno, "uname");
    return KernelName{name.sysname, name.nodename, name.release, name.version, name.machine};
  }

  Result<std::shared_ptr<const Files>> process_root(std::int64_t pid) const override {
    const std::string folder = "/proc/" + std::to_string(pid);
    if (shares_our_root(folder)) return not_owned(cached_);
    GH_ASSIGN_OR_RETURN(const std::string mountinfo, read_mountinfo(folder + "/mountinfo"));
    // The one magic link that is followed on purpose.
    UniqueFd root(::open((folder + "/root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!root) return error_from_errno(errno, folder + "/root");
    return std::shared_ptr<const Files>(std::make_shared<RootFiles>(std::move(root), MountTable::parse(mountinfo)));
  }

  Result<SocketDump> sockets(SocketProtocol protocol, int family) const override {
    if (!sock_diag_is_there(protocol)) {
      return Error{ErrorCode::kUnsupported, "sock_diag: not loaded, and an audit loads nothing"};
    }
    GH_ASSIGN_OR_RETURN(std::string messages,
                        dump_inet_sockets(protocol == SocketProtocol::kTcp ? IPPROTO_TCP : IPPROTO_UDP, family));
    return SocketDump{std::move(messages)};
  }

  Result<FilterDump> packet_filter() const override {
    FilterDump dump;
    GH_ASSIGN_OR_RETURN(dump.links, dump_link_programs());
    GH_ASSIGN_OR_RETURN(const bool is_there, has_module("nf_tables"));
    if (is_there) {
      GH_ASSIGN_OR_RETURN(dump.rules, dump_nft());
    }
    return dump;
  }

  Result<std::string> audit_status() const override {
    GH_RETURN_IF_ERROR(audit_is_there());
    return ask_audit_status();
  }
  Result<std::string> audit_rules() const override {
    GH_RETURN_IF_ERROR(audit_is_there());
    return list_audit_rules();
  }

  Result<DirectoryGroup> directory_group(std::string_view name) const override { return names_.group(name); }
  Result<KernelLog> kernel_log() const override { return read_kernel_log(kKernelLogCap); }
  Result<std::string> kernel_keys() const override {
    if (!keys_) return error_from_errno(keys_error_, "/proc/keys");
    return read_from_start(keys_.get(), "/proc/keys", kKeysCap);
  }

 private:
  // Most processes live where we do: their mounts need not be read again.
  bool shares_our_root(const std::string& folder) const {
    const auto own = files_->read_link("/proc/self/ns/mnt");
    const auto theirs = files_->read_link(folder + "/ns/mnt");
    const auto root = files_->read_link(folder + "/root");
    return own && theirs && root && *own == *theirs && *root == "/";
  }

  // Whether a module is loaded or built in; kUnsupported when that cannot be told without asking for it.
  Result<bool> has_module(std::string_view module) const {
    const auto loaded = files_->read("/proc/modules", kMountinfoCap);
    if (!loaded && loaded.error().code == ErrorCode::kNotFound) return true;  // the kernel has it or says no
    if (!loaded) return loaded.error();
    for (const auto line : split(loaded->bytes, '\n')) {
      if (line.substr(0, line.find(' ')) == module) return true;
    }
    const auto built_in = is_built_in(module);
    if (!built_in)
      return Error{ErrorCode::kUnsupported, concat({module,
                                                    ": not loaded as a module, and what is built in is not "
                                                    "known; an audit loads nothing"})};
    return built_in;
  }

  Result<bool> is_built_in(std::string_view module) const {
    GH_ASSIGN_OR_RETURN(const KernelName kernel, kernel_name());
    GH_ASSIGN_OR_RETURN(const FileBytes list,
                        files_->read(concat({"/lib/modules/", kernel.release, "/modules.builtin"}), kDefaultReadCap));
    return list.bytes.find(concat({"/", module, ".ko"})) != std::string::npos;
  }

  // A request to a netlink family that is not there would make the kernel load a module.
  bool sock_diag_is_there(SocketProtocol protocol) const {
    if (!files_->stat("/proc/modules")) return true;  // a kernel without modules has it or says no
    const auto disabled = files_->read("/proc/sys/kernel/modules_disabled", 16);
    if (disabled && trim(disabled->bytes) == "1") return true;
    const std::string_view module = protocol == SocketProtocol::kTcp ? "tcp_diag" : "udp_diag";
    if (files_->stat(concat({"/sys/module/", module})) && files_->stat("/sys/module/inet_diag")) return true;
    const auto built_in = is_built_in(module);
    return built_in && *built_in;
  }

  Status audit_is_there() const {
    GH_ASSIGN_OR_RETURN(const FileBytes families, files_->read("/proc/net/netlink", kMountinfoCap));
    if (has_audit_family(families.bytes)) return {};
    return Error{ErrorCode::kNotFound, "audit: this kernel has none, or was booted with audit=0"};
  }

  std::unique_ptr<RootFiles> files_;
  CachedFiles cached_;
  mutable NameService names_;
  UniqueFd keys_;  // opened before the reader gives up its rights: the kernel asks who opened it
  int keys_error_ = 0;
};

}  // namespace

Result<std::unique_ptr<Files>> open_own_files() {
  GH_ASSIGN_OR_RETURN(const std::string mountinfo, read_mountinfo("/proc/self/mountinfo"));
  MountTable mounts = MountTable::parse(mountinfo);
  mounts.allow_all();
  GH_ASSIGN_OR_RETURN(auto files, RootFiles::open("/", std::move(mounts)));
  return std::unique_ptr<Files>(std::move(files));
}

Result<std::unique_ptr<Host>> open_live_host() {
  GH_ASSIGN_OR_RETURN(const std::string mountinfo, read_mountinfo("/proc/self/mountinfo"));
  GH_ASSIGN_OR_RETURN(auto files, RootFiles::open("/", MountTable::parse(mountinfo)));
  auto host = std::make_unique<LiveHost>(std::move(files));
  GH_RETURN_IF_ERROR(host->start_name_service());
  return std::unique_ptr<Host>(std::move(host));
}

}  // namespace gpuharden
