// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/file_digest.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/digest.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

}  // namespace

Result<std::string> file_sha256(const Files& files, std::string_view path,
                                std::chrono::steady_clock::time_point deadline) {
  // Located and looked at first: links are followed inside the root alone, and no device is opened.
  GH_ASSIGN_OR_RETURN(const LibraryPath place, files.library_path(path));
  const UniqueFd file(::open(place.path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file) return error_from_errno(errno, path);
  std::string piece(kPiece, '\0');
  Sha256 digest;
  for (::off_t at = 0;;) {
    if (std::chrono::steady_clock::now() > deadline) {
      return Error{ErrorCode::kTimeout, concat({path, ": not read to its end in the time that is given"})};
    }
    const auto count = ::pread(file.get(), piece.data(), piece.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, path);
    if (count == 0) return digest.finish();
    digest.update(std::string_view(piece).substr(0, static_cast<std::size_t>(count)));
    at += count;
  }
}

}  // namespace gpuharden
