// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/result.h"

#include <array>
#include <cerrno>
#include <cstring>

namespace gpuharden {
namespace {

constexpr std::array<std::string_view, 13> kWords = {
    "not-found",   "permission", "not-regular", "remote",  "too-large", "loop", "not-held",
    "unsupported", "malformed",  "timeout",     "library", "stale",     "io",
};

ErrorCode code_of(int errno_value) {
  switch (errno_value) {
    case ENOENT:
    case ENOTDIR:
    case ESRCH: return ErrorCode::kNotFound;
    case EACCES:
    case EPERM: return ErrorCode::kPermission;
    case ELOOP: return ErrorCode::kLoop;
    case EISDIR: return ErrorCode::kNotRegular;
    case EXDEV: return ErrorCode::kRemote;
    case ENOSYS:
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
    case EAFNOSUPPORT: return ErrorCode::kUnsupported;
    default: return ErrorCode::kIo;
  }
}

}  // namespace

std::string_view to_string(ErrorCode code) { return kWords.at(static_cast<std::size_t>(code)); }

std::optional<ErrorCode> parse_error_code(std::string_view word) {
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<ErrorCode>(i);
  }
  return std::nullopt;
}

Error Error::while_(std::string_view doing) && { return {code, std::string(doing) + ": " + message}; }

Error error_from_errno(int errno_value, std::string_view what) {
  // strerror is not thread-safe, but the program has one thread.
  return {code_of(errno_value), std::string(what) + ": " + std::strerror(errno_value)};
}

}  // namespace gpuharden
