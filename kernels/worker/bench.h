// SPDX-License-Identifier: GPL-2.0-or-later
// What the checks share: memory that is given back, kernels with typed arguments, results that start out as wrong.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "kernels/device/numbers.h"
#include "kernels/worker/driver.h"

namespace gpuharden::kernels {

// Memory of the device.
class Buffer {
 public:
  explicit Buffer(Driver& driver) : driver_(driver) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    // A device that refuses this is at its end anyway.
    if (address_ != 0) static_cast<void>(driver_.release(address_));
  }
  Failure allocate(std::uint64_t bytes) {
    bytes_ = bytes;
    return driver_.allocate(bytes, &address_);
  }
  Address address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  Driver& driver_;
  Address address_ = 0;
  std::uint64_t bytes_ = 0;
};

template <typename... Values>
Failure run(Driver& driver, const std::string& kernel, std::uint64_t blocks_x, std::uint64_t blocks_y,
            Values... values) {
  void* arguments[] = {&values...};
  return driver.launch(kernel, static_cast<std::uint32_t>(blocks_x), static_cast<std::uint32_t>(blocks_y), arguments);
}

constexpr std::uint64_t blocks_for(std::uint64_t count, std::uint64_t of_block) {
  return (count + of_block - 1) / of_block;
}
// Poison all over.
inline Failure poison(Driver& driver, const Buffer& buffer) {
  const u64 words = buffer.bytes() / 4;
  return run(driver, "gh_set", blocks_for(words, u64{64} * kBlockThreads), 1, buffer.address(), words, kPoison);
}

using ResultWords = std::array<std::uint64_t, kResultWords>;
inline Failure clear_result(Driver& driver, const Buffer& result) {
  ResultWords words{};
  words[kResultFirst] = ~std::uint64_t{0};
  words[kResultMinimum] = ~std::uint64_t{0};
  return driver.upload(result.address(), std::as_bytes(std::span(words)));
}
template <typename T>
Failure fetch(Driver& driver, const Buffer& from, std::vector<T>* to) {
  return driver.download(std::as_writable_bytes(std::span(*to)), from.address());
}
inline Failure fetch_result(Driver& driver, const Buffer& result, ResultWords* words) {
  return driver.download(std::as_writable_bytes(std::span(*words)), result.address());
}

class Stopwatch {
 public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace gpuharden::kernels
