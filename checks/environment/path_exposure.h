// SPDX-License-Identifier: GPL-2.0-or-later
// Whether what a path names can be changed by others, links and missing parts included; remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/memo.h"
#include "engine/base/result.h"
#include "engine/host/files.h"

namespace gpuharden {

class PathExposure {
 public:
  using Reason = std::optional<std::string>;

  explicit PathExposure(const Files& files) : files_(files) {}

  // The reason why an account other than root and `also_trusted` can change what the path leads to,
  // or nothing. Beyond engine/host/path_trust.h: each link on the way counts with the folder that
  // holds it, and of a path that does not exist the nearest folder that does.
  Result<Reason> of(std::string_view path, std::optional<std::uint32_t> also_trusted = std::nullopt);

  // The same for a file whose stat (links followed) is known: cheaper where the folder was seen before.
  Result<Reason> of_file(std::string_view path, const FileStat& stat,
                         std::optional<std::uint32_t> also_trusted = std::nullopt);

  // Whether every account can read that file: its own permission, and the way to it.
  Result<bool> is_world_readable(std::string_view path, const FileStat& stat);

  // Whether the path leads to something; an error when that could not be seen.
  Result<bool> exists(std::string_view path);

 private:
  Result<Reason> compute(std::string path, std::optional<std::uint32_t> also_trusted) const;
  Result<Reason> of_links(std::string path, std::optional<std::uint32_t> also_trusted) const;

  Result<bool> is_open_folder(const std::string& folder);

  const Files& files_;
  Memo<Result<Reason>> reasons_;  // by user id, space, path
  Memo<Result<bool>> existing_;
  Memo<Result<bool>> open_folders_;
};

}  // namespace gpuharden
