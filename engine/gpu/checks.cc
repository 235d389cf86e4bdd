// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/checks.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

GpuCheck named(std::string_view name) {
  GpuCheck check;
  check.name = name;
  return check;
}

class Judge {
 public:
  Judge(const WorkerTranscript& transcript, const Examined& examined, Expectations& expectations)
      : transcript_(transcript), examined_(examined), expectations_(expectations) {}

  JudgedChecks run() {
    const auto plan = kernels::plan_of(examined_.level);
    for (const auto& product : plan.products) judge_product(product);
    const std::uint64_t count = std::uint64_t{1} << plan.data_bits;
    judge_data("permutation", kernels::kPermutationPurpose, count, 1);
    judge_bins(plan);
    judge_data("pinned", kernels::kPinnedPurpose, count, 1);
    judge_data("peer", kernels::kPeerPurpose, count, examined_.peers);
    judge_patterns(plan);
    if (plan.by_library) judge_library(plan);
    return std::move(out_);
  }

 private:
  template <typename Wanted>
  std::vector<const WorkerLine*> find(Wanted wanted) const {
    std::vector<const WorkerLine*> found;
    for (const auto& line : transcript_.lines) {
      if (wanted(line)) found.push_back(&line);
    }
    return found;
  }

  void missing(std::string_view name) { out_.missing.emplace_back(name); }

  // --- products

  void judge_product(const kernels::ProductPlan& plan) {
    const std::string name(kernels::format_name(plan.format));
    const auto rounds = find([&](const WorkerLine& line) {
      return line.kind() == "product" && line.text("format") == name && line.number("n") == plan.n;
    });
    if (rounds.size() != 2) return missing(name);
    GpuCheck check = named(name);
    for (std::uint32_t round = 0; round < 2; ++round) {
      const auto& line = *rounds.at(round);
      const kernels::ProductKey key{plan.format, plan.n,
                                    kernels::derived_seed(examined_.seed, 2 * plan.format + round)};
      if (line.number("round") != round || line.bits("seed") != key.seed) return missing(name);
      std::string wrong = wrong_product(key, line);
      if (const auto across = plan.n / kernels::tile_of(plan.format);
          wrong.empty() && line.number("tiles") != std::uint64_t{across} * across)
        wrong = "not every tile was computed";
      if (!wrong.empty() && check.detail.empty()) check.detail = wrong;
    }
    // Both can only be right and equal if the seeds were.
    if (check.detail.empty() && rounds[0]->bits("rows") == rounds[1]->bits("rows"))
      check.detail = "the second product is the first one's";
    measure_product(*rounds[1], plan.n, check);
    check.matrix_unit = rounds[1]->flag("matrix_unit");
    check.passed = check.detail.empty();
    out_.made.push_back(std::move(check));
  }

  std::string wrong_product(const kernels::ProductKey& key, const WorkerLine& line) {
    const std::uint64_t elements = std::uint64_t{key.n} * key.n;
    const auto expected = expectations_.product(key);
    if (line.number("verified") == 0U && line.number("bad") == 0U)
      return "the driver reported success and nothing was written";
    if (line.number("bad") != 0U)
      return concat({std::to_string(line.number("bad").value_or(0)), " elements are no result; ", place_of(key, line)});
    if (line.bits("rows") != expected.rows || line.bits("columns") != expected.columns) return place_of(key, line);
    if (line.number("verified") != elements) return "not every element was verified";
    const auto samples = line.all_bits("samples");
    if (samples.size() != kernels::kSamples) return "elements to be recomputed are missing";
    for (std::uint32_t i = 0; i < kernels::kSamples; ++i) {
      const auto place = kernels::sample_place(key, i);
      if (kernels::element_value(key, place.row, place.column, samples[i]) ==
          kernels::expected_element(key, place.row, place.column))
        continue;
      return concat({"element ", std::to_string(place.row), ",", std::to_string(place.column), " is wrong"});
    }
    return {};
  }

  static std::string place_of(const kernels::ProductKey& key, const WorkerLine& line) {
    const auto rows = line.number("wrong_rows");
    const auto columns = line.number("wrong_columns");
    const auto row = line.number("row");
    const auto column = line.number("column");
    if (!rows || !columns || !row || !column || *row >= key.n || *column >= key.n) return "its sums are wrong";
    std::string text =
        concat({std::to_string(*rows), " rows and ", std::to_string(*columns),
                " columns have wrong sums, the first at ", std::to_string(*row), ",", std::to_string(*column)});
    if (const auto unit = line.number("unit"); unit && *unit > 0)
      text += concat({", made by unit ", std::to_string(*unit - 1)});
    return text;
  }

  static void measure_product(const WorkerLine& line, std::uint32_t n, GpuCheck& check) {
    const double work = 2.0 * n * n * n * static_cast<double>(line.number("launches").value_or(0));
    const double time = std::max(line.real("device_us").value_or(0), line.real("host_us").value_or(0));
    if (time > 0) check.gflops = work / time * 1e-3;
  }

  // --- the vendor's library

  void judge_library(const kernels::Plan& plan) {
    const auto lines = find([](const WorkerLine& line) { return line.kind() == "library"; });
    if (lines.size() != 1) return missing("the vendor's library of matrix products");
    const auto library = lines[0]->text("name");
    if (library.empty()) return;
    // It becomes part of names of checks.
    if (library != "cuBLASLt" && library != "hipBLASLt") return missing("products by a library that is known");
    for (const auto& product : plan.products) judge_product_by(library, product);
  }

  void judge_product_by(std::string_view library, const kernels::ProductPlan& plan) {
    const auto format = kernels::format_name(plan.format);
    const auto of_format = [&](std::string_view kind) {
      return find([&](const WorkerLine& line) { return line.kind() == kind && line.text("format") == format; });
    };
    const std::string name = concat({format, " by ", library});
    const auto made = of_format("library-product");
    if (made.empty() && of_format("library-refused").size() == 1) return;
    const kernels::ProductKey key{plan.format, plan.n, kernels::derived_seed(examined_.seed, 2 * plan.format + 1)};
    if (made.size() != 1 || made[0]->number("n") != plan.n || made[0]->bits("seed") != key.seed) return missing(name);
    GpuCheck check = named(name);
    check.detail = wrong_product(key, *made[0]);
    check.passed = check.detail.empty();
    measure_product(*made[0], plan.n, check);
    out_.made.push_back(std::move(check));
  }

  // --- words that travel

  void judge_data(std::string_view what, std::uint32_t purpose, std::uint64_t count, std::size_t times) {
    const auto lines = find([&](const WorkerLine& line) { return line.kind() == "data" && line.text("what") == what; });
    if (lines.size() != times) return missing(what);
    if (times == 0) return;
    const std::uint64_t seed = kernels::derived_seed(examined_.seed, purpose);
    GpuCheck check = named(what);
    for (const auto* line : lines) {
      if (line->bits("seed") != seed || line->number("count") != count) return missing(what);
      if (line->bits("weighted") != expectations_.data(count, seed) || line->number("bad") != 0U ||
          line->number("verified") != count)
        check.detail = concat({std::to_string(line->number("bad").value_or(0)), " of ", std::to_string(count),
                               " words are wrong, the first is ", std::to_string(line->number("first").value_or(0))});
      const double time = std::max(line->real("device_us").value_or(0), line->real("host_us").value_or(0));
      if (time > 0) check.gbytes = 16.0 * static_cast<double>(count) / time * 1e-3;
    }
    check.passed = check.detail.empty();
    out_.made.push_back(std::move(check));
  }

  void judge_bins(const kernels::Plan& plan) {
    const std::uint64_t count = std::uint64_t{1} << plan.data_bits;
    const std::uint64_t seed = kernels::derived_seed(examined_.seed, kernels::kBinPurpose);
    const auto lines = find([](const WorkerLine& line) { return line.kind() == "bins"; });
    if (lines.size() != 1 || lines[0]->bits("seed") != seed || lines[0]->number("count") != count ||
        lines[0]->number("bits") != plan.bin_bits)
      return missing("atomics");
    const auto& line = *lines[0];
    const auto expected = expectations_.bins(count, plan.bin_bits, seed);
    GpuCheck check = named("atomics");
    check.passed = line.number("verified") == count && line.bits("wide") == expected.wide &&
                   line.bits("narrow") == expected.narrow && line.bits("maximum") == expected.maximum &&
                   line.bits("minimum") == expected.minimum;
    if (!check.passed) check.detail = "sums made by atomic additions are wrong";
    out_.made.push_back(std::move(check));
  }

  // --- memory

  std::uint64_t wanted_words(const kernels::Plan& plan) const {
    if (plan.pattern_bytes != 0) return plan.pattern_bytes / 8;
    const auto lines = find([](const WorkerLine& line) { return line.kind() == "memory"; });
    const auto available = lines.size() == 1 ? lines[0]->number("free") : std::nullopt;
    // Without it nothing is enough.
    return available ? *available / 10 * 9 / 8 : ~std::uint64_t{0};
  }

  void judge_patterns(const kernels::Plan& plan) {
    const auto lines = find([](const WorkerLine& line) { return line.kind() == "pattern"; });
    GpuCheck check = named("memory");
    for (const auto& pattern : kernels::patterns_of(examined_.seed)) {
      for (const bool flipped : {false, true}) {
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const WorkerLine* line) {
          return line->bits("a") == pattern.a && line->bits("b") == pattern.b && line->flag("flipped") == flipped;
        });
        if (found == lines.end()) return missing("memory");
        const std::uint64_t count = (*found)->number("count").value_or(0);
        if (count < wanted_words(plan)) return missing("memory");
        judge_pattern(**found, {pattern.a, pattern.b, flipped ? ~std::uint64_t{0} : 0, 0, count}, check);
      }
    }
    check.passed = check.detail.empty();
    out_.made.push_back(std::move(check));
  }

  static void judge_pattern(const WorkerLine& line, const kernels::PatternKey& key, GpuCheck& check) {
    const auto expected = kernels::expected_pattern(key);
    const bool good = line.number("verified") == key.count && line.number("bad") == 0U &&
                      line.bits("sum") == expected.sum && line.bits("weighted") == expected.weighted;
    if (!good)
      check.detail = concat({std::to_string(line.number("bad").value_or(0)), " of ", std::to_string(key.count),
                             " words of memory are wrong, the first at byte ",
                             std::to_string(line.number("first").value_or(0) * 8)});
    const double time = line.real("write_us").value_or(0) + line.real("read_us").value_or(0);
    if (time > 0) check.gbytes = std::max(check.gbytes, 16.0 * static_cast<double>(key.count) / time * 1e-3);
  }

  const WorkerTranscript& transcript_;
  const Examined& examined_;
  Expectations& expectations_;
  JudgedChecks out_;
};

}  // namespace

JudgedChecks judge_checks(const WorkerTranscript& transcript, const Examined& examined, Expectations& expectations) {
  return Judge(transcript, examined, expectations).run();
}

}  // namespace gpuharden
