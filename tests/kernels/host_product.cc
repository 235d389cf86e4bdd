// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/kernels/host_product.h"

#include <cstring>
#include <stdexcept>

namespace gpuharden::test {
namespace {

constexpr std::uint32_t kPoisonWord = 0xFFF7A5A5U;
constexpr std::uint64_t kPoisonWords = 0xFFF7A5A5FFF7A5A5ULL;
constexpr std::uint32_t kThreads = 256;

std::uint32_t blocks(std::uint64_t count) { return static_cast<std::uint32_t>((count + kThreads - 1) / kThreads); }

}  // namespace

HostProduct::HostProduct(const kernels::ProductKey& key)
    : key_(key),
      a_(kernels::operand_bytes(key.format, key.n) / 8),
      b_(a_.size()),
      c_(std::uint64_t{key.n} * key.n * kernels::result_bytes(key.format) / 8, kPoisonWords),
      rows_(key.n),
      columns_(key.n),
      result_(8),
      tiles_((key.n / kernels::tile_of(key.format)) * (key.n / kernels::tile_of(key.format)), kPoisonWord) {}

void HostProduct::make_operands() {
  const std::uint64_t count = a_.size() * 8 / (key_.format == 0 ? 8 : 4);
  const std::uint32_t range = kernels::operand_range(key_.format, key_.n);
  run("operands", {blocks(count), 1}, static_cast<void*>(a_.data()), static_cast<unsigned long long>(count), key_.n,
      static_cast<unsigned long long>(key_.seed), 1U, range);
  run("operands", {blocks(count), 1}, static_cast<void*>(b_.data()), static_cast<unsigned long long>(count), key_.n,
      static_cast<unsigned long long>(key_.seed), 2U, range);
}

void HostProduct::compute() {
  make_operands();
  const std::uint32_t tiles = key_.n / kernels::tile_of(key_.format);
  run("product", {tiles, tiles}, a(), b(), c(), key_.n, tiles_.data());
}

void HostProduct::check() {
  rows_.assign(key_.n, 0);
  columns_.assign(key_.n, 0);
  result_.assign(8, 0);
  result_[2] = ~std::uint64_t{0};
  const auto seed = static_cast<unsigned long long>(key_.seed);
  run("rows", {key_.n, 1}, c(), key_.n, seed, static_cast<void*>(rows_.data()), static_cast<void*>(result_.data()));
  run("columns", {blocks(key_.n), (key_.n + 63) / 64}, c(), key_.n, seed, static_cast<void*>(columns_.data()));
}

void HostProduct::flip_bit(std::uint32_t row, std::uint32_t column, std::uint32_t bit) {
  const std::uint32_t bytes = kernels::result_bytes(key_.format);
  const std::uint64_t index = (std::uint64_t{row} * key_.n + column) * bytes;
  auto* byte = reinterpret_cast<unsigned char*>(c_.data()) + index + bit / 8;
  *byte = static_cast<unsigned char>(*byte ^ (1U << (bit % 8)));
}

std::int64_t HostProduct::element(std::uint32_t row, std::uint32_t column) const {
  const std::uint32_t bytes = kernels::result_bytes(key_.format);
  std::uint64_t bits = 0;
  std::memcpy(&bits, reinterpret_cast<const unsigned char*>(c_.data()) + (std::uint64_t{row} * key_.n + column) * bytes,
              bytes);
  return kernels::element_value(key_, row, column, bits);
}

}  // namespace gpuharden::test
