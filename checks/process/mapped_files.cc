// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/mapped_files.h"

#include <map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMapsCap = std::size_t{8} << 20U;

class MappedFilesReader {
 public:
  MappedFilesReader(const Host& host, const ProcessFacts& facts)
      : host_(host), facts_(facts), host_root_(std::make_shared<ProcessRoot>(host.files())) {}

  MappedFiles read() {
    if (facts_.list_error()) found_.errors.push_back(*facts_.list_error());
    for (const auto& [process, handles] : facts_.gpu_holders()) add(process);
    if (facts_.handles_error()) {
      found_.errors.push_back({facts_.handles_error()->code, concat({facts_.handles_error()->message, ": whether ",
                                                                     std::to_string(facts_.unread_holders().size()),
                                                                     " processes use a GPU is not known"})});
    }
    return std::move(found_);
  }

 private:
  void add(ProcessId id) {
    GpuProcess process;
    process.id = id;
    const auto text = host_.files().read(concat({"/proc/", std::to_string(id), "/maps"}), kMapsCap);
    if (text) {
      process.files = parse_proc_maps(text->bytes);
      if (text->truncated)
        process.files_error = Error{ErrorCode::kTooLarge, "/proc/PID/maps: too large, its end was not read"};
    } else if (text.error().code == ErrorCode::kNotFound &&
               !host_.files().lstat(concat({"/proc/", std::to_string(id)}))) {
      return;  // it ended meanwhile
    } else {
      process.files_error = text.error();
    }
    if (const auto& status = facts_.status(id)) process.uid = status->uid;
    const auto root = root_of(id);
    if (root) {
      process.root = *root;
      process.root_number = numbers_.emplace(root->get(), numbers_.size() + 1).first->second;
      if (process.root == host_root_) process.root_number = 0;
    } else {
      process.root_error = root.error();
    }
    found_.processes.push_back(std::move(process));
  }

  // Processes of one container share a root: its files are looked at once.
  Result<std::shared_ptr<const ProcessRoot>> root_of(ProcessId id) {
    const auto& group = facts_.group(id);
    const auto link = host_.files().read_link(concat({"/proc/", std::to_string(id), "/root"}));
    const std::string place = link ? *link : "/";
    const std::string container = group && group->container ? *group->container : "";
    if (container.empty() && place == "/" && is_in_host_mounts(id)) return host_root_;
    const std::string key = concat({container, " ", place, container.empty() ? mounts_of(id) : ""});
    const auto known = roots_.find(key);
    if (known != roots_.end()) return known->second;
    auto files = host_.process_root(id);
    if (!files) return files.error();
    // A service with mounts of its own (PrivateTmp=) still names its files as the host does.
    std::optional<std::string> name;
    if (!container.empty() || place != "/") name = container.empty() ? place : container;
    auto root = std::make_shared<const ProcessRoot>(std::move(*files), std::move(name));
    return roots_.emplace(key, std::move(root)).first->second;
  }

  // "mnt:[4026531841]"; "" where it cannot be told.
  std::string mounts_of(ProcessId id) const {
    auto link = host_.files().read_link(concat({"/proc/", std::to_string(id), "/ns/mnt"}));
    return link ? *std::move(link) : std::string();
  }

  bool is_in_host_mounts(ProcessId id) {
    if (!host_mounts_) host_mounts_ = mounts_of(1);
    return mounts_of(id) == *host_mounts_;
  }

  const Host& host_;
  const ProcessFacts& facts_;
  std::shared_ptr<const ProcessRoot> host_root_;
  std::map<std::string, std::shared_ptr<const ProcessRoot>> roots_;
  std::map<const ProcessRoot*, std::size_t> numbers_;
  std::optional<std::string> host_mounts_;
  MappedFiles found_;
};

}  // namespace

ProcessRoot::ProcessRoot(std::shared_ptr<const Files> own, std::optional<std::string> name)
    : own_(std::move(own)),
      cached_(std::make_shared<CachedFiles>(*own_)),
      files_(cached_.get()),
      name_(std::move(name)) {}

const MappedFiles& mapped_files(const Host& host, SharedFacts& shared) {
  const auto& facts = shared.get<ProcessFacts>(host, &read_process_facts);
  return shared.get<MappedFiles>(host, [&](const Host& same) { return MappedFilesReader(same, facts).read(); });
}

}  // namespace gpuharden
