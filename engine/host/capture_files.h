// SPDX-License-Identifier: GPL-2.0-or-later
// The files of a capture.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/base/memo.h"
#include "engine/host/capture_yaml.h"
#include "engine/host/files.h"
#include "engine/host/mounts.h"
#include "engine/host/root_files.h"

namespace gpuharden {

// The tree's own files with host.yaml laid over them. Owner and mode come from host.yaml alone,
// since a checkout has its own: root, 0644, 0755 for folders and what is executable.
class CaptureFiles final : public Files {
 public:
  // `prefix` is the folder inside the capture that serves as root; "" for the host's own.
  // `mounts` are those that were recorded.
  CaptureFiles(const RootFiles& tree, const MountTable& mounts, const CapturedHost& host, std::string prefix)
      : tree_(tree), mounts_(mounts), host_(host), prefix_(std::move(prefix)) {}

  Result<FileBytes> read(std::string_view path, std::size_t cap) const override;
  Result<FileStat> stat(std::string_view path) const override;
  Result<FileStat> lstat(std::string_view path) const override;
  Result<std::vector<DirectoryEntry>> list(std::string_view path) const override;
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::vector<LinkEntry>> links(std::string_view folder) const override;
  Result<std::string> real_path(std::string_view path) const override;
  Result<std::string> xattr(std::string_view path, const char* name) const override;
  Result<LibraryPath> library_path(std::string_view path) const override;

 private:
  struct Place {
    std::string real;  // inside the capture, prefix included, without links
    const CapturedPath* overlay = nullptr;
  };

  const CapturedPath* overlay_of(std::string_view path) const;

  bool is_folder_of_overlay(const std::string& path) const;

  // Where a link at `path` leads, if there is a link.
  std::optional<std::string> link_at(const std::string& path, const CapturedPath* overlay) const;

  // Whether the tree alone knows what is on the way to this folder, and at it.
  bool is_folder_of_tree(std::string_view path) const;

  // The path inside the tree where nothing on the way to its last component is a link or laid over,
  // and that component is not laid over either: then the tree alone knows.
  std::optional<std::string> plain(std::string_view path) const;

  // Resolves component by component, so that links may lead to what only host.yaml holds.
  Result<Place> find(std::string_view path, bool follow) const;

  Result<FileStat> stat_of_place(const Place& place) const;

  static void as_captured(FileStat& stat);

  static void lay_over(const CapturedPath& overlay, FileStat& stat);

  void add_overlay_entries(const std::string& folder, std::vector<DirectoryEntry>& entries) const;

  const RootFiles& tree_;
  const MountTable& mounts_;
  const CapturedHost& host_;
  std::string prefix_;
  // Of the tree, known to be no links and to lie below no link.
  mutable std::unordered_set<std::string, TextHash, std::equal_to<>> known_folders_;
};

}  // namespace gpuharden
