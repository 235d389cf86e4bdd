// SPDX-License-Identifier: GPL-2.0-or-later
// A recorded machine: root/ with its files, host.yaml with everything else.
#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "engine/base/text.h"
#include "engine/host/cached_files.h"
#include "engine/host/capture_yaml.h"
#include "engine/host/host.h"
#include "engine/host/root_files.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {
namespace {

constexpr std::size_t kHostYamlCap = std::size_t{64} << 20U;
constexpr int kMaxLinks = 40;

// The tree's own files with host.yaml laid over them. Owner and mode come from host.yaml alone,
// since a checkout has its own: root, 0644, 0755 for folders and what is executable.
class CaptureFiles final : public Files {
 public:
  // `prefix` is the folder inside the capture that serves as root; "" for the host's own.
  // `mounts` are those that were recorded.
  CaptureFiles(const RootFiles& tree, const MountTable& mounts, const CapturedHost& host, std::string prefix)
      : tree_(tree), mounts_(mounts), host_(host), prefix_(std::move(prefix)) {}

  Result<FileBytes> read(std::string_view path, std::size_t cap) const override {
    if (const auto full = plain(path)) {
      auto file = tree_.read_plain(*full, cap);
      if (file) as_captured(file->stat);
      // Through a link the way is resolved by us.
      if (file || file.error().code != ErrorCode::kLoop) return file;
    }
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    GH_ASSIGN_OR_RETURN(const FileStat stat, stat_of_place(place));
    if (stat.type != FileType::kRegular) {
      return Error{ErrorCode::kNotRegular, concat({path, ": is a ", to_string(stat.type), ", not a regular file"})};
    }
    auto file = tree_.read(place.real, cap);
    if (file) file->stat = stat;
    if (file || place.overlay == nullptr || !place.overlay->size) return file;
    // A file of zeros that the tree does not hold: a sparse giant.
    FileBytes zeros{std::string(std::min<std::size_t>(stat.size, cap), '\0'), stat, stat.size > cap};
    return zeros;
  }
  Result<FileStat> stat(std::string_view path) const override {
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    return stat_of_place(place);
  }
  Result<FileStat> lstat(std::string_view path) const override {
    if (const auto full = plain(path)) {
      auto stat = tree_.lstat(*full);
      if (stat && stat->type == FileType::kDirectory) known_folders_.insert(*full);
      if (stat) as_captured(*stat);
      if (stat || !is_folder_of_overlay(*full)) return stat;
    }
    GH_ASSIGN_OR_RETURN(const Place place, find(path, false));
    return stat_of_place(place);
  }
  Result<std::vector<DirectoryEntry>> list(std::string_view path) const override {
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    auto entries = tree_.list(place.real);
    const bool only_laid_over = !entries && is_folder_of_overlay(place.real);
    if (!entries && !only_laid_over) return entries;
    std::vector<DirectoryEntry> all = entries ? std::move(*entries) : std::vector<DirectoryEntry>();
    add_overlay_entries(place.real, all);
    return all;
  }
  Result<std::string> read_link(std::string_view path) const override {
    if (const auto full = plain(path)) return tree_.read_link(*full);
    GH_ASSIGN_OR_RETURN(const Place place, find(path, false));
    if (place.overlay != nullptr && !place.overlay->link.empty()) return place.overlay->link;
    return tree_.read_link(place.real);
  }
  Result<std::vector<LinkEntry>> links(std::string_view folder) const override {
    const auto full = plain(folder);
    if (full && known_folders_.contains(*full) && !is_folder_of_overlay(*full)) return tree_.links(*full);
    return Files::links(folder);
  }
  Result<std::string> real_path(std::string_view path) const override {
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    if (const auto stat = stat_of_place(place); !stat) return stat.error();
    return place.real.substr(prefix_.size()).empty() ? "/" : place.real.substr(prefix_.size());
  }
  Result<std::string> xattr(std::string_view path, const char* name) const override {
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    if (place.overlay != nullptr) {
      const auto found = place.overlay->xattrs.find(name);
      if (found != place.overlay->xattrs.end()) return found->second;
    }
    return Error{ErrorCode::kNotFound, concat({path, ": no ", name})};
  }
  Result<LibraryPath> library_path(std::string_view path) const override {
    GH_ASSIGN_OR_RETURN(const Place place, find(path, true));
    return tree_.library_path(place.real);
  }

 private:
  struct Place {
    std::string real;  // inside the capture, prefix included, without links
    const CapturedPath* overlay = nullptr;
  };

  const CapturedPath* overlay_of(std::string_view path) const {
    const auto found = host_.paths.find(path);
    return found == host_.paths.end() ? nullptr : &found->second;
  }

  bool is_folder_of_overlay(const std::string& path) const {
    const auto next = host_.paths.lower_bound(path + "/");
    return next != host_.paths.end() && is_within(next->first, path);
  }

  // Where a link at `path` leads, if there is a link.
  std::optional<std::string> link_at(const std::string& path, const CapturedPath* overlay) const {
    if (overlay != nullptr && overlay->type) {
      return overlay->type == FileType::kSymlink ? std::optional(overlay->link) : std::nullopt;
    }
    if (known_folders_.contains(path)) return std::nullopt;
    const auto stat = tree_.lstat(path);
    if (stat && stat->type == FileType::kDirectory) known_folders_.insert(path);
    if (!stat || stat->type != FileType::kSymlink) return std::nullopt;
    const auto text = tree_.read_link(path);
    return text ? std::optional(*text) : std::nullopt;
  }

  // The path inside the tree where nothing on the way to its last component is a link or laid over,
  // and that component is not laid over either: then the tree alone knows.
  std::optional<std::string> plain(std::string_view path) const {
    const bool is_simple = path.size() > 1 && path[0] == '/' && path.back() != '/' && path.find("//") == std::string_view::npos &&
                           path.find("/./") == std::string_view::npos && path.find("/..") == std::string_view::npos && !path.ends_with("/.");
    if (!is_simple) return std::nullopt;
    std::string full = concat({prefix_, path});
    if (mounts_.has_recorded_barriers() && mounts_.barrier(full) != nullptr) return std::nullopt;
    const auto slash = full.rfind('/');
    if (slash > 0 && !known_folders_.contains(full.substr(0, slash))) return std::nullopt;
    return overlay_of(full) == nullptr ? std::optional(std::move(full)) : std::nullopt;
  }

  // Resolves component by component, so that links may lead to what only host.yaml holds.
  Result<Place> find(std::string_view path, bool follow) const {
    if (path.empty() || path[0] != '/') return Error{ErrorCode::kMalformed, concat({path, ": not an absolute path"})};
    std::deque<std::string> pending;
    for (const auto part : split(path, '/')) pending.emplace_back(part);
    Place place{prefix_, nullptr};
    int links = 0;
    while (!pending.empty()) {
      const std::string name = std::move(pending.front());
      pending.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        if (place.real.size() > prefix_.size()) place.real.erase(place.real.rfind('/'));
        continue;
      }
      const std::string next = place.real + "/" + name;
      const auto* barrier = mounts_.has_recorded_barriers() ? mounts_.barrier(next) : nullptr;
      if (barrier != nullptr) return remote_error(path, *barrier);
      place.overlay = overlay_of(next);
      if (place.overlay != nullptr && place.overlay->error) return *place.overlay->error;
      const auto target = !pending.empty() || follow ? link_at(next, place.overlay) : std::nullopt;
      if (!target) {
        place.real = next;
        continue;
      }
      if (++links > kMaxLinks) return Error{ErrorCode::kLoop, concat({path, ": too many symbolic links"})};
      if (is_within(next, prefix_ + "/proc") && !target->empty() && (*target)[0] == '/') {
        return Error{ErrorCode::kLoop, concat({path, ": a magic link of /proc"})};
      }
      if (!target->empty() && (*target)[0] == '/') place.real = prefix_;
      const auto parts = split(*target, '/');
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) pending.emplace_front(*part);
    }
    if (place.real.empty()) place.real = "/";
    return place;
  }

  Result<FileStat> stat_of_place(const Place& place) const {
    FileStat stat;
    const auto in_tree = tree_.lstat(place.real);
    const bool made = place.overlay != nullptr && place.overlay->type;
    if (!in_tree && !made && !is_folder_of_overlay(place.real)) return in_tree.error();
    if (in_tree) stat = *in_tree;
    if (!in_tree && !made) stat.type = FileType::kDirectory;
    as_captured(stat);
    if (place.overlay != nullptr) lay_over(*place.overlay, stat);
    return stat;
  }

  static void as_captured(FileStat& stat) {
    const bool executable = (stat.mode & 0100U) != 0;
    stat.mode = stat.type == FileType::kDirectory || executable ? 0755 : 0644;
    if (stat.type == FileType::kSymlink) stat.mode = 0777;
    stat.uid = stat.gid = 0;
  }

  static void lay_over(const CapturedPath& overlay, FileStat& stat) {
    if (overlay.type) stat.type = *overlay.type;
    if (overlay.mode) stat.mode = *overlay.mode;
    if (overlay.uid) stat.uid = *overlay.uid;
    if (overlay.gid) stat.gid = *overlay.gid;
    if (overlay.size) stat.size = *overlay.size;
    if (overlay.mtime) stat.mtime = *overlay.mtime;
    stat.device_major = overlay.device_major;
    stat.device_minor = overlay.device_minor;
  }

  void add_overlay_entries(const std::string& folder, std::vector<DirectoryEntry>& entries) const {
    const std::string prefix = folder == "/" ? "/" : folder + "/";
    const auto first = host_.paths.lower_bound(prefix);
    if (first == host_.paths.end() || !first->first.starts_with(prefix)) return;
    for (auto it = host_.paths.lower_bound(prefix); it != host_.paths.end() && it->first.starts_with(prefix); ++it) {
      const auto rest = std::string_view(it->first).substr(prefix.size());
      const auto slash = rest.find('/');
      const auto name = rest.substr(0, slash);
      const auto known = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.name == name; });
      const bool is_entry = slash == std::string_view::npos;
      if (known != entries.end()) {
        if (is_entry && it->second.type) known->type = *it->second.type;
      } else if (!is_entry) {
        entries.push_back({std::string(name), FileType::kDirectory});
      } else if (it->second.type) {
        entries.push_back({std::string(name), *it->second.type});
      }
    }
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  const RootFiles& tree_;
  const MountTable& mounts_;
  const CapturedHost& host_;
  std::string prefix_;
  mutable std::unordered_set<std::string> known_folders_;  // of the tree, known to be no links
};

class CaptureHost final : public Host {
 public:
  CaptureHost(std::unique_ptr<RootFiles> tree, MountTable mounts, CapturedHost captured)
      : tree_(std::move(tree)), mounts_(std::move(mounts)), captured_(std::move(captured)), files_(*tree_, mounts_, captured_, ""), cached_(files_) {}

  HostKind kind() const override { return HostKind::kCapture; }
  const Files& files() const override { return cached_; }
  bool is_privileged() const override { return captured_.privileged; }
  std::int64_t now() const override { return captured_.now; }

  Result<KernelName> kernel_name() const override {
    if (!captured_.kernel) return Error{ErrorCode::kNotHeld, "uname: not captured"};
    return *captured_.kernel;
  }

  Result<std::unique_ptr<Files>> process_root(std::int64_t pid) const override {
    const std::string folder = "/proc/" + std::to_string(pid);
    if (!files_.stat(folder)) return Error{ErrorCode::kNotFound, folder + ": no such process"};
    const auto root = files_.read_link(folder + "/root");
    const std::string prefix = root && *root != "/" ? *root : "";
    if (prefix.empty()) return std::unique_ptr<Files>(std::make_unique<CachedFiles>(cached_));
    return std::unique_ptr<Files>(std::make_unique<CaptureFiles>(*tree_, mounts_, captured_, prefix));
  }

  Result<SocketDump> sockets(SocketProtocol protocol, int family) const override {
    const auto& all = protocol == SocketProtocol::kTcp ? captured_.tcp : captured_.udp;
    if (!all) return Error{ErrorCode::kUnsupported, "sock_diag: not captured"};
    std::vector<InetSocket> chosen;
    std::copy_if(all->begin(), all->end(), std::back_inserter(chosen),
                 [&](const InetSocket& socket) { return socket.family == family; });
    return SocketDump{encode_inet_sockets(chosen)};
  }

  Result<DirectoryGroup> directory_group(std::string_view name) const override {
    if (captured_.directory_is_down) return Error{ErrorCode::kTimeout, concat({name, ": the name service did not answer"})};
    const auto found = captured_.groups.find(name);
    if (found == captured_.groups.end()) return Error{ErrorCode::kNotFound, concat({name, ": no such group"})};
    return found->second;
  }

 private:
  std::unique_ptr<RootFiles> tree_;
  MountTable mounts_;
  CapturedHost captured_;
  CaptureFiles files_;
  CachedFiles cached_;
};

}  // namespace

Result<std::unique_ptr<Host>> open_capture_host(const std::string& folder) {
  GH_ASSIGN_OR_RETURN(const auto top, RootFiles::open(folder, {}));
  GH_ASSIGN_OR_RETURN(const FileBytes text, top->read("/host.yaml", kHostYamlCap));
  GH_ASSIGN_OR_RETURN(CapturedHost captured, parse_captured_host(text.bytes, folder + "/host.yaml"));
  // The tree itself holds no mounts: what was recorded is kept out while paths are resolved.
  GH_ASSIGN_OR_RETURN(auto tree, RootFiles::open(folder + "/root", {}));
  MountTable mounts;
  for (const auto* path : {"/proc/self/mountinfo", "/proc/1/mountinfo"}) {
    if (const auto recorded = tree->read(path, kHostYamlCap)) mounts.add_barriers(MountTable::parse(recorded->bytes));
  }
  return std::unique_ptr<Host>(std::make_unique<CaptureHost>(std::move(tree), std::move(mounts), std::move(captured)));
}

}  // namespace gpuharden
