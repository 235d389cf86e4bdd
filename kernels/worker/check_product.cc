// SPDX-License-Identifier: GPL-2.0-or-later
// Matrix products: computed, timed, summed up on the device and located where they are wrong.
#include <algorithm>

#include "kernels/device/product.h"
#include "kernels/oracle/oracle.h"
#include "kernels/worker/bench.h"
#include "kernels/worker/checks.h"
#include "kernels/worker/lines.h"
#include "kernels/worker/matrix_library.h"

namespace gpuharden::kernels {
namespace {

// Timed launches of one product stop here: a chip with few units for a type must not use up the level's time.
constexpr double kMostMicroseconds = 400'000;

bool is_done(u32 tile) { return tile != kPoison && (tile & kTileDone) != 0; }

// Of our own kernels, or of the vendor's library when one is given.
class Product {
 public:
  Product(Driver& driver, const Examination& examination, const ProductPlan& plan,
          const MatrixLibrary* library = nullptr)
      : driver_(driver),
        examination_(examination),
        library_(library),
        plan_(plan),
        n_(plan.n),
        suffix_("_" + std::string(format_name(plan.format))),
        tiles_across_(plan.n / kFormatFacts[plan.format].tile) {}

  Failure check() {
    GH_TRY(allocate());
    // The library's product has the data of our second one, and a buffer that was poisoned since.
    for (std::uint32_t round = library_ == nullptr ? 0 : 1; round < 2; ++round) GH_TRY(check_round(round));
    return std::nullopt;
  }

 private:
  Failure allocate() {
    GH_TRY(a_.allocate(operand_bytes(plan_.format, n_)));
    GH_TRY(b_.allocate(operand_bytes(plan_.format, n_)));
    GH_TRY(c_.allocate(u64{n_} * n_ * result_bytes(plan_.format)));
    GH_TRY(tiles_.allocate(u64{tiles_across_} * tiles_across_ * 4));
    GH_TRY(rows_.allocate(u64{n_} * 8));
    GH_TRY(columns_.allocate(u64{n_} * 8));
    return result_.allocate(kResultWords * 8);
  }

  Failure check_round(std::uint32_t round) {
    key_ = {plan_.format, n_, derived_seed(examination_.seed, 2 * plan_.format + round)};
    GH_TRY(make_operands());
    const bool is_stale = library_ == nullptr && round == 1 && examination_.fault == Fault::kStaleProduct;
    if (!is_stale) {
      GH_TRY(poison(driver_, c_));
      GH_TRY(poison(driver_, tiles_));
      GH_TRY(compute(round));
    }
    const Fault flips = library_ == nullptr ? Fault::kFlipProduct : Fault::kFlipLibrary;
    if ((round == 0 || library_ != nullptr) && examination_.fault == flips) GH_TRY(flip());
    GH_TRY(sum_up());
    return report(round);
  }

  Failure make_operands() {
    const u64 count = a_.bytes() / kFormatFacts[plan_.format].word_bytes;
    const u32 range = operand_range(plan_.format, n_);
    const u64 seed = key_.seed;
    for (const u32 stream : {u32{kStreamA}, u32{kStreamB}}) {
      const Address words = stream == kStreamA ? a_.address() : b_.address();
      GH_TRY(run(driver_, "gh_operands" + suffix_, blocks_for(count, kBlockThreads), 1, words, count, n_, seed, stream,
                 range));
    }
    return driver_.finish();
  }

  Failure launch() {
    if (library_ != nullptr) return library_->multiply(a_.address(), b_.address(), c_.address());
    return run(driver_, "gh_product" + suffix_, tiles_across_, tiles_across_, a_.address(), b_.address(), c_.address(),
               n_, tiles_.address());
  }

  // The first launch warms up; the second round's further ones are timed.
  Failure compute(std::uint32_t round) {
    device_time_ = 0;
    host_time_ = 0;
    launches_ = 0;
    if (examination_.fault == Fault::kSkipProduct) return std::nullopt;
    const Stopwatch first;
    GH_TRY(launch());
    GH_TRY(driver_.finish());
    if (round == 0) return std::nullopt;
    const double once = std::max(first.microseconds(), 1.0);
    launches_ = std::clamp(static_cast<std::uint32_t>(kMostMicroseconds / once), 1U, plan_.repeats);
    const Stopwatch all;
    GH_TRY(driver_.start_clock());
    for (std::uint32_t i = 0; i < launches_; ++i) GH_TRY(launch());
    GH_TRY(driver_.stop_clock(&device_time_));
    GH_TRY(driver_.finish());
    host_time_ = all.microseconds();
    return std::nullopt;
  }

  Failure flip() {
    // An element in the middle; the lowest bit that every type has.
    const u64 word = (u64{n_} / 2 * n_ + n_ / 3) * (result_bytes(plan_.format) / 4);
    return run(driver_, "gh_flip", 1, 1, c_.address(), word, u32{1});
  }

  Failure sum_up() {
    std::vector<std::uint64_t> zeros(n_);
    GH_TRY(driver_.upload(rows_.address(), std::as_bytes(std::span(zeros))));
    GH_TRY(driver_.upload(columns_.address(), std::as_bytes(std::span(zeros))));
    GH_TRY(clear_result(driver_, result_));
    const u64 seed = key_.seed;
    GH_TRY(run(driver_, "gh_rows" + suffix_, n_, 1, c_.address(), n_, seed, rows_.address(), result_.address()));
    GH_TRY(run(driver_, "gh_columns" + suffix_, blocks_for(n_, kBlockThreads), blocks_for(n_, 64), c_.address(), n_,
               seed, columns_.address()));
    return driver_.finish();
  }

  Failure element(Place place, std::uint64_t* bits) {
    const std::uint32_t bytes = result_bytes(plan_.format);
    *bits = 0;
    return driver_.download(std::as_writable_bytes(std::span(bits, 1)).first(bytes),
                            c_.address() + (u64{place.row} * n_ + place.column) * bytes);
  }

  Failure report(std::uint32_t round) {
    std::vector<std::uint64_t> rows(n_);
    std::vector<std::uint64_t> columns(n_);
    std::vector<std::uint32_t> tiles(tiles_.bytes() / 4);
    ResultWords result{};
    GH_TRY(fetch(driver_, rows_, &rows));
    GH_TRY(fetch(driver_, columns_, &columns));
    GH_TRY(fetch(driver_, tiles_, &tiles));
    GH_TRY(fetch_result(driver_, result_, &result));
    std::vector<std::uint64_t> samples(kSamples);
    for (std::uint32_t i = 0; i < kSamples; ++i) GH_TRY(element(sample_place(key_, i), &samples[i]));
    const auto done = std::count_if(tiles.begin(), tiles.end(), &is_done);
    const auto by_matrix = std::count_if(tiles.begin(), tiles.end(),
                                         [](u32 tile) { return is_done(tile) && (tile & kTileByMatrixUnit) != 0; });
    Line line(library_ == nullptr ? "product" : "library-product");
    line.text("format", format_name(plan_.format)).number("n", n_).number("round", round);
    line.bits("seed", key_.seed).number("verified", result[kResultVerified]).number("bad", result[kResultBad]);
    line.number("tiles", static_cast<u64>(done)).flag("matrix_unit", by_matrix == done && done > 0);
    line.bits("rows", fold(rows)).bits("columns", fold(columns)).bits("samples", samples);
    line.number("launches", launches_).real("device_us", device_time_).real("host_us", host_time_);
    const auto expected = expected_sums(key_);
    if (rows != expected.rows || columns != expected.columns) GH_TRY(locate(line, expected, rows, columns, tiles));
    line.send();
    return std::nullopt;
  }

  Failure locate(Line& line, const ProductSums& expected, const std::vector<std::uint64_t>& rows,
                 const std::vector<std::uint64_t>& columns, const std::vector<std::uint32_t>& tiles) {
    const auto wrong = [](const auto& want, const auto& got, std::uint32_t* first) {
      std::uint64_t count = 0;
      for (std::size_t i = want.size(); i-- > 0;) {
        if (want[i] == got[i]) continue;
        ++count;
        *first = static_cast<std::uint32_t>(i);
      }
      return count;
    };
    Place place;
    line.number("wrong_rows", wrong(expected.rows, rows, &place.row));
    line.number("wrong_columns", wrong(expected.columns, columns, &place.column));
    std::uint64_t bits = 0;
    GH_TRY(element(place, &bits));
    const std::uint32_t tile = kFormatFacts[plan_.format].tile;
    const std::uint32_t mark = tiles.at(place.row / tile * tiles_across_ + place.column / tile);
    line.number("row", place.row).number("column", place.column).bits("found", bits);
    if (is_done(mark)) line.number("unit", mark & kTileUnitMask);
    return std::nullopt;
  }

  Driver& driver_;
  const Examination& examination_;
  const MatrixLibrary* library_;
  ProductPlan plan_;
  std::uint32_t n_;
  std::string suffix_;
  std::uint32_t tiles_across_;
  ProductKey key_;
  Buffer a_{driver_}, b_{driver_}, c_{driver_}, tiles_{driver_}, rows_{driver_}, columns_{driver_}, result_{driver_};
  std::uint32_t launches_ = 0;
  double device_time_ = 0, host_time_ = 0;
};

}  // namespace

Failure check_product(Driver& driver, const Examination& examination, const ProductPlan& plan) {
  return Product(driver, examination, plan).check();
}

namespace {

// A product that the library does not have says nothing of the device; what the device says of it does.
Failure check_with(MatrixLibrary& library, Driver& driver, const Examination& examination, const ProductPlan& plan) {
  auto failure = library.choose(plan.format, plan.n);
  if (!failure) failure = Product(driver, examination, plan, &library).check();
  if (!failure || failure->reason != kRefused) return failure;
  GH_TRY(driver.finish());
  Line line("library-refused");
  line.text("format", format_name(plan.format)).text("call", failure->call);
  line.number("code", static_cast<std::uint64_t>(std::max(failure->code, 0))).text("detail", failure->detail).send();
  return std::nullopt;
}

}  // namespace

Failure check_library(Driver& driver, const Examination& examination, const Plan& plan) {
  if (!plan.by_library) return std::nullopt;
  MatrixLibrary library(driver);
  if (const auto failure = library.open(examination.library)) {
    Line("library").text("why", failure->detail).send();
    return std::nullopt;
  }
  Line("library").text("name", library.name()).number("version", library.version()).text("path", library.path()).send();
  for (const auto& product : plan.products) {
    enter_stage("product " + std::string(format_name(product.format)) + " by " + std::string(library.name()));
    GH_TRY(check_with(library, driver, examination, product));
  }
  return std::nullopt;
}

}  // namespace gpuharden::kernels
