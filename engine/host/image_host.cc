// SPDX-License-Identifier: GPL-2.0-or-later
// A tree of files: a container image, a mounted disk, a rescue system's /mnt.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <ctime>

#include "engine/base/text.h"
#include "engine/host/cached_files.h"
#include "engine/host/host.h"
#include "engine/host/root_files.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMountinfoCap = std::size_t{16} << 20U;

Error not_held(std::string_view what) { return {ErrorCode::kNotHeld, concat({what, ": an image cannot hold it"})}; }

class ImageHost final : public Host {
 public:
  explicit ImageHost(std::unique_ptr<RootFiles> files) : files_(std::move(files)), cached_(*files_) {}

  HostKind kind() const override { return HostKind::kImage; }
  const Files& files() const override { return cached_; }
  bool is_privileged() const override { return ::geteuid() == 0; }
  std::int64_t now() const override { return ::time(nullptr); }
  Result<KernelName> kernel_name() const override { return not_held("uname"); }
  Result<std::shared_ptr<const Files>> process_root(std::int64_t) const override {
    return not_held("a process's root");
  }
  Result<SocketDump> sockets(SocketProtocol, int) const override { return not_held("sock_diag"); }
  Result<FilterDump> packet_filter() const override { return not_held("nf_tables"); }
  Result<std::string> audit_status() const override { return not_held("the kernel's audit"); }
  Result<std::string> audit_rules() const override { return not_held("the kernel's audit"); }
  Result<DirectoryGroup> directory_group(std::string_view) const override { return not_held("the name service"); }
  Result<KernelLog> kernel_log() const override { return not_held("the kernel's log"); }
  Result<std::string> kernel_keys() const override { return not_held("the kernel's keys"); }

 private:
  std::unique_ptr<RootFiles> files_;
  CachedFiles cached_;
};

// Other than a wrong folder, every tree that anyone would audit has one of these.
bool holds_a_system(const Files& files) {
  for (const auto* path : {"/etc", "/usr", "/lib", "/proc", "/var"}) {
    const auto entries = files.list(path);
    if (entries && !entries->empty()) return true;
  }
  return false;
}

// The scanning machine's mounts inside the folder: local disks are entered, what the scanning
// machine's own kernel answers is not the image's.
MountTable mounts_inside(const std::string& folder, const Files& host) {
  const auto text = host.read("/proc/self/mountinfo", kMountinfoCap);
  if (!text) return {};
  std::string kept;
  for (const auto line : split(text->bytes, '\n')) {
    const auto dash = line.find(" - ");
    const auto type = dash == std::string_view::npos ? std::string_view()
                                                     : line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
    // Left out of the table, they stay closed by RESOLVE_NO_XDEV.
    if (type == "proc" || type == "sysfs" || type == "devtmpfs" || type == "devpts") continue;
    kept += concat({line, "\n"});
  }
  return MountTable::parse(kept, folder);
}

}  // namespace

Result<std::unique_ptr<Host>> open_image_host(const std::string& folder) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(folder.c_str(), nullptr), &::free);
  if (!real) return error_from_errno(errno, folder);
  GH_ASSIGN_OR_RETURN(auto here, RootFiles::open("/", {}));
  // /proc is another mount: it is read through a table that knows it.
  const auto proc = RootFiles::open("/", MountTable::parse("1 1 0:1 / /proc rw - proc proc rw\n"));
  MountTable mounts = proc ? mounts_inside(real.get(), **proc) : MountTable();
  const auto image = RootFiles::open(real.get(), mounts);
  if (!image) return image.error();
  if (const auto recorded = (*image)->read("/proc/self/mountinfo", kMountinfoCap)) {
    mounts.add_barriers(MountTable::parse(recorded->bytes));
  }
  GH_ASSIGN_OR_RETURN(auto files, RootFiles::open(real.get(), std::move(mounts)));
  if (!holds_a_system(*files)) {
    return Error{ErrorCode::kMalformed,
                 concat({folder, ": holds no operating system (no files in /etc, /usr, /lib, /proc or /var)"})};
  }
  return std::unique_ptr<Host>(std::make_unique<ImageHost>(std::move(files)));
}

}  // namespace gpuharden
