// SPDX-License-Identifier: GPL-2.0-or-later
// Permutations, atomic additions, copies and memory patterns.
#include <algorithm>
#include <memory>

#include "kernels/device/memory.h"
#include "kernels/oracle/oracle.h"
#include "kernels/worker/bench.h"
#include "kernels/worker/checks.h"
#include "kernels/worker/lines.h"

namespace gpuharden::kernels {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 30U;

struct DataReport {
  std::string_view what;
  std::uint64_t seed = 0, count = 0;
  std::uint64_t verified = 0, bad = 0, first = ~std::uint64_t{0}, weighted = 0;
  double device_us = 0, host_us = 0;
};
void send(const DataReport& report) {
  Line line("data");
  line.text("what", report.what).bits("seed", report.seed).number("count", report.count);
  line.number("verified", report.verified).number("bad", report.bad).bits("weighted", report.weighted);
  if (report.bad > 0) line.number("first", report.first);
  line.real("device_us", report.device_us).real("host_us", report.host_us).send();
}

Failure check_permutation(Driver& driver, const Examination& examination, std::uint32_t bits) {
  const u64 count = u64{1} << bits;
  const u64 seed = derived_seed(examination.seed, kPermutationPurpose);
  Buffer middle(driver);
  Buffer back(driver);
  Buffer result(driver);
  GH_TRY(middle.allocate(count * 8));
  GH_TRY(back.allocate(count * 8));
  GH_TRY(result.allocate(kResultWords * 8));
  GH_TRY(poison(driver, middle));
  GH_TRY(poison(driver, back));
  DataReport report{"permutation", seed, count};
  GH_TRY(driver.start_clock());
  GH_TRY(run(driver, "gh_scatter", blocks_for(count, kBlockThreads), 1, middle.address(), bits, seed));
  GH_TRY(run(driver, "gh_gather", blocks_for(count, kBlockThreads), 1, back.address(), middle.address(), bits, seed));
  GH_TRY(driver.stop_clock(&report.device_us));
  if (examination.fault == Fault::kFlipData)
    GH_TRY(run(driver, "gh_flip", 1, 1, back.address(), count / 2, u32{1} << 9U));
  GH_TRY(clear_result(driver, result));
  GH_TRY(
      run(driver, "gh_check_data", blocks_for(count, kBlockThreads), 1, back.address(), count, seed, result.address()));
  GH_TRY(driver.finish());
  ResultWords words{};
  GH_TRY(fetch_result(driver, result, &words));
  report.verified = words[kResultVerified];
  report.bad = words[kResultBad];
  report.first = words[kResultFirst];
  report.weighted = words[kResultWeighted];
  send(report);
  return std::nullopt;
}

Failure check_bins(Driver& driver, const Examination& examination, const Plan& plan) {
  const u64 count = (u64{1} << plan.data_bits) - (examination.fault == Fault::kLostAddition ? 1 : 0);
  const u64 seed = derived_seed(examination.seed, kBinPurpose);
  std::vector<std::uint64_t> wide(std::size_t{1} << plan.bin_bits);
  std::vector<std::uint32_t> narrow(wide.size());
  Buffer wide_bins(driver);
  Buffer narrow_bins(driver);
  Buffer result(driver);
  GH_TRY(wide_bins.allocate(wide.size() * 8));
  GH_TRY(narrow_bins.allocate(narrow.size() * 4));
  GH_TRY(result.allocate(kResultWords * 8));
  GH_TRY(driver.upload(wide_bins.address(), std::as_bytes(std::span(wide))));
  GH_TRY(driver.upload(narrow_bins.address(), std::as_bytes(std::span(narrow))));
  GH_TRY(clear_result(driver, result));
  GH_TRY(run(driver, "gh_bins", blocks_for(count, kBlockThreads), 1, wide_bins.address(), narrow_bins.address(), count,
             plan.bin_bits, seed, result.address()));
  GH_TRY(driver.finish());
  ResultWords words{};
  GH_TRY(fetch(driver, wide_bins, &wide));
  GH_TRY(fetch(driver, narrow_bins, &narrow));
  GH_TRY(fetch_result(driver, result, &words));
  Line line("bins");
  line.bits("seed", seed).number("count", u64{1} << plan.data_bits).number("bits", plan.bin_bits);
  line.number("verified", words[kResultVerified]).bits("wide", fold(wide));
  line.bits("narrow", fold(std::vector<std::uint64_t>(narrow.begin(), narrow.end())));
  line.bits("maximum", words[kResultMaximum]).bits("minimum", words[kResultMinimum]).send();
  return std::nullopt;
}

// Words that came back to the host, against what was sent.
void compare(std::span<const std::uint64_t> words, DataReport* report) {
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    report->weighted += words[i] * data_weight(report->seed, i);
    if (words[i] == data_word(report->seed, i)) {
      ++report->verified;
    } else if (report->bad++ == 0) {
      report->first = i;
    }
  }
}

// To the device, there to another place, and back: the two copies between host and device are timed together.
Failure check_pinned(Driver& driver, const Examination& examination, std::uint32_t bits) {
  const std::uint64_t count = std::uint64_t{1} << bits;
  DataReport report{"pinned", derived_seed(examination.seed, kPinnedPurpose), count};
  void* memory = nullptr;
  GH_TRY(driver.pinned(2 * count * 8, &memory));
  const std::span<std::uint64_t> all(static_cast<std::uint64_t*>(memory), 2 * count);
  const auto sent = all.first(count);
  const auto received = all.last(count);
  for (std::uint64_t i = 0; i < count; ++i) sent[i] = data_word(report.seed, i);
  std::fill(received.begin(), received.end(), ~std::uint64_t{0});
  Buffer one(driver);
  Buffer other(driver);
  GH_TRY(one.allocate(count * 8));
  GH_TRY(other.allocate(count * 8));
  GH_TRY(poison(driver, other));
  const Stopwatch up;
  GH_TRY(driver.upload(one.address(), std::as_bytes(sent)));
  GH_TRY(driver.finish());
  report.host_us = up.microseconds();
  GH_TRY(driver.start_clock());
  GH_TRY(driver.copy(other.address(), one.address(), count * 8));
  GH_TRY(driver.stop_clock(&report.device_us));
  if (examination.fault == Fault::kFlipPinned)
    GH_TRY(run(driver, "gh_flip", 1, 1, other.address(), u64{count / 2}, u32{1} << 30U));
  GH_TRY(driver.finish());
  const Stopwatch down;
  GH_TRY(driver.download(std::as_writable_bytes(received), other.address()));
  report.host_us += down.microseconds();
  compare(received, &report);
  send(report);
  return std::nullopt;
}

Failure check_peer(Driver& driver, const Examination& examination, std::uint32_t bits, int peer) {
  const std::uint64_t count = std::uint64_t{1} << bits;
  DataReport report{"peer", derived_seed(examination.seed, kPeerPurpose), count};
  std::vector<std::uint64_t> words(count);
  for (std::uint64_t i = 0; i < count; ++i) words[i] = data_word(report.seed, i);
  GH_TRY(driver.use(peer));
  Buffer there(driver);
  GH_TRY(there.allocate(count * 8));
  GH_TRY(driver.use(examination.device));
  Buffer here(driver);
  Buffer back(driver);
  GH_TRY(here.allocate(count * 8));
  GH_TRY(back.allocate(count * 8));
  GH_TRY(poison(driver, back));
  GH_TRY(driver.upload(here.address(), std::as_bytes(std::span(words))));
  GH_TRY(driver.finish());
  const Stopwatch both;
  GH_TRY(driver.copy(there.address(), here.address(), count * 8));
  GH_TRY(driver.copy(back.address(), there.address(), count * 8));
  GH_TRY(driver.finish());
  report.host_us = both.microseconds();
  std::fill(words.begin(), words.end(), 0);
  GH_TRY(fetch(driver, back, &words));
  compare(words, &report);
  send(report);
  return std::nullopt;
}

class Patterns {
 public:
  Patterns(Driver& driver, const Examination& examination) : driver_(driver), examination_(examination) {}

  Failure allocate(std::uint64_t bytes) {
    for (std::uint64_t rest = bytes & ~std::uint64_t{0xFFF}; rest > 0;) {
      const std::uint64_t size = std::min(rest, kChunkBytes);
      chunks_.push_back(std::make_unique<Buffer>(driver_));
      GH_TRY(chunks_.back()->allocate(size));
      rest -= size;
      words_ += size / 8;
    }
    return result_.allocate(kResultWords * 8);
  }

  Failure check(const PatternPlan& plan, u64 flip) {
    double write_us = 0;
    double read_us = 0;
    GH_TRY(clear_result(driver_, result_));
    GH_TRY(driver_.start_clock());
    GH_TRY(each("gh_write_pattern", plan, flip, false));
    GH_TRY(driver_.stop_clock(&write_us));
    if (examination_.fault == Fault::kFlipPattern)
      GH_TRY(run(driver_, "gh_flip", 1, 1, chunks_.back()->address(), u64{77}, u32{1} << 17U));
    GH_TRY(driver_.start_clock());
    GH_TRY(each("gh_check_pattern", plan, flip, true));
    GH_TRY(driver_.stop_clock(&read_us));
    ResultWords words{};
    GH_TRY(fetch_result(driver_, result_, &words));
    Line line("pattern");
    line.bits("a", plan.a).bits("b", plan.b).flag("flipped", flip != 0).number("count", words_);
    line.number("verified", words[kResultVerified]).number("bad", words[kResultBad]);
    line.bits("sum", words[kResultSum]).bits("weighted", words[kResultWeighted]);
    if (words[kResultBad] > 0) line.number("first", words[kResultFirst]).bits("wrong_bits", words[kResultBits]);
    line.real("write_us", write_us).real("read_us", read_us).send();
    return std::nullopt;
  }

 private:
  Failure each(const char* kernel, const PatternPlan& plan, u64 flip, bool with_result) {
    u64 base = 0;
    for (const auto& chunk : chunks_) {
      const u64 count = chunk->bytes() / 8;
      const u64 blocks = blocks_for(count, kWordsOfBlock);
      const u64 a = plan.a;
      const u64 b = plan.b;
      GH_TRY(with_result ? run(driver_, kernel, blocks, 1, chunk->address(), count, base, a, b, flip, result_.address())
                         : run(driver_, kernel, blocks, 1, chunk->address(), count, base, a, b, flip));
      base += count;
    }
    return driver_.finish();
  }

  Driver& driver_;
  const Examination& examination_;
  std::vector<std::unique_ptr<Buffer>> chunks_;
  Buffer result_{driver_};
  std::uint64_t words_ = 0;
};

}  // namespace

Failure check_data(Driver& driver, const Examination& examination, const Plan& plan) {
  GH_TRY(check_permutation(driver, examination, plan.data_bits));
  GH_TRY(check_bins(driver, examination, plan));
  return check_pinned(driver, examination, plan.data_bits);
}

Failure check_peers(Driver& driver, const Examination& examination, const Plan& plan) {
  for (const int peer : examination.peers) GH_TRY(check_peer(driver, examination, plan.data_bits, peer));
  return std::nullopt;
}

Failure check_patterns(Driver& driver, const Examination& examination, const Plan& plan) {
  std::uint64_t bytes = plan.pattern_bytes;
  if (bytes == 0) {
    GH_TRY(driver.free_memory(&bytes));
    // What the driver keeps for itself grows with what is allocated.
    bytes = bytes / 100 * 95;
  }
  Patterns patterns(driver, examination);
  GH_TRY(patterns.allocate(bytes));
  for (const auto& pattern : patterns_of(examination.seed)) {
    GH_TRY(patterns.check(pattern, 0));
    GH_TRY(patterns.check(pattern, ~u64{0}));
  }
  return std::nullopt;
}

}  // namespace gpuharden::kernels
