// SPDX-License-Identifier: GPL-2.0-or-later
// One matrix product by the kernels' host build, step by step, so that a test can spoil what lies between two steps.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/host/host_kernels.h"
#include "kernels/oracle/oracle.h"

namespace gpuharden::test {

class HostProduct {
 public:
  explicit HostProduct(const kernels::ProductKey& key);

  void compute();
  void check();
  // Only what is checked from now on.
  void pretend_seed(std::uint64_t seed) { key_.seed = seed; }
  void flip_bit(std::uint32_t row, std::uint32_t column, std::uint32_t bit);

  std::int64_t element(std::uint32_t row, std::uint32_t column) const;
  const std::vector<std::uint64_t>& rows() const { return rows_; }
  const std::vector<std::uint64_t>& columns() const { return columns_; }
  const std::vector<std::uint32_t>& tiles() const { return tiles_; }
  std::uint64_t verified() const { return result_[0]; }
  std::uint64_t bad() const { return result_[1]; }
  std::uint64_t first_bad() const { return result_[2]; }

  // For kernels that are no part of the library: operands and the place of the result.
  void* a() { return a_.data(); }
  void* b() { return b_.data(); }
  void* c() { return c_.data(); }
  std::uint32_t* tile_words() { return tiles_.data(); }
  void make_operands();

 private:
  template <typename... Values>
  void run(std::string_view kernel, kernels::Grid grid, Values... values) {
    void* arguments[] = {&values...};
    const std::string name = "gh_" + std::string(kernel) + "_" + std::string(kernels::format_name(key_.format));
    if (!kernels::run_on_host(name, grid, arguments)) throw std::logic_error(name);
  }

  kernels::ProductKey key_;
  std::vector<std::uint64_t> a_, b_, c_;
  std::vector<std::uint64_t> rows_, columns_, result_;
  std::vector<std::uint32_t> tiles_;
};

}  // namespace gpuharden::test
