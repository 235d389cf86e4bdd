// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/cli/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace gpuharden {

Result<OutputFile> OutputFile::begin(const std::string& path, std::optional<unsigned> mode) {
  OutputFile out;
  out.path_ = path;
  struct stat stat {};
  const bool in_place = ::stat(path.c_str(), &stat) == 0 && !S_ISREG(stat.st_mode);
  if (!in_place) out.temporary_ = path + ".new";
  const int flags = in_place ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  out.fd_ = UniqueFd(::open(in_place ? path.c_str() : out.temporary_.c_str(), flags | O_CLOEXEC, 0644));
  if (!out.fd_) {
    const int error = errno;
    out.temporary_.clear();
    return error_from_errno(error, path);
  }
  if (mode && !in_place && ::fchmod(out.fd_.get(), *mode) != 0) return error_from_errno(errno, path);
  return out;
}

OutputFile::~OutputFile() {
  if (!temporary_.empty() && fd_) ::unlink(temporary_.c_str());
}

Status OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::write(fd_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, path_);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Status OutputFile::commit() {
  if (temporary_.empty()) return {};
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return error_from_errno(errno, path_);
  temporary_.clear();
  return {};
}

}  // namespace gpuharden
