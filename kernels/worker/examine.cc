// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/examine.h"

#include <unistd.h>

#include <array>
#include <cstdlib>

#include "kernels/oracle/oracle.h"
#include "kernels/worker/checks.h"
#include "kernels/worker/lines.h"

namespace gpuharden::kernels {
namespace {

constexpr std::array<std::string_view, 12> kFaults = {"none",         "flip-product",  "skip-product", "stale-product",
                                                      "flip-data",    "lost-addition", "flip-pattern", "flip-pinned",
                                                      "flip-library", "hang",          "crash",        "silent"};

void misbehave(Fault fault) {
  if (fault == Fault::kCrash) std::abort();
  if (fault == Fault::kSilent) ::_exit(0);
  while (fault == Fault::kHang) ::pause();
}

Failure measure_memory(Driver& driver, const Examination& examination, const DeviceFacts& facts) {
  std::uint64_t available = 0;
  GH_TRY(driver.free_memory(&available));
  Line("memory").number("total", facts.memory).number("free", available).send();
  // The whole memory is taken only where nobody else has any: a fresh context takes far less than a tenth.
  if (examination.level == Level::kFull && available < facts.memory / 10 * 9)
    return Problem{"in-use", "", 0, "other processes hold memory of this device"};
  return std::nullopt;
}

}  // namespace

std::optional<Fault> parse_fault(std::string_view word) {
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (kFaults.at(i) == word) return static_cast<Fault>(i);
  }
  return std::nullopt;
}

Failure examine(Driver& driver, const Examination& examination, const DeviceFacts& facts) {
  enter_stage("context");
  GH_TRY(driver.use(examination.device));
  GH_TRY(measure_memory(driver, examination, facts));
  enter_stage("load");
  std::string loaded;
  GH_TRY(driver.load_kernels(facts, &loaded));
  Line("code").text("loaded", loaded).send();
  misbehave(examination.fault);
  const Plan plan = plan_of(examination.level);
  for (const auto& product : plan.products) {
    enter_stage("product " + std::string(format_name(product.format)));
    GH_TRY(check_product(driver, examination, product));
  }
  enter_stage("data");
  GH_TRY(check_data(driver, examination, plan));
  enter_stage("peers");
  GH_TRY(check_peers(driver, examination, plan));
  enter_stage("memory");
  GH_TRY(check_patterns(driver, examination, plan));
  enter_stage("matrix library");
  GH_TRY(check_library(driver, examination, plan));
  Line("uncovered").text("format", "fp8").send();
  return std::nullopt;
}

}  // namespace gpuharden::kernels
