// SPDX-License-Identifier: GPL-2.0-or-later
// Owners for things that must be given back: file descriptors and C objects.
#pragma once

#include <unistd.h>

#include <memory>
#include <type_traits>
#include <utility>

namespace gpuharden {

// Owns one file descriptor, or none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) reset(std::exchange(other.fd_, -1));
    return *this;
  }
  ~UniqueFd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }
  void reset(int fd = -1) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }

 private:
  int fd_ = -1;
};

// A unique_ptr whose deleter is the library's own free function: Handle<&kmod_unref>.
template <auto kFree>
struct HandleDeleter {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};
template <typename T, auto kFree>
using Handle = std::unique_ptr<T, HandleDeleter<kFree>>;

}  // namespace gpuharden
