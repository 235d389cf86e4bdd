// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/measure.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

namespace gpuharden::test {
namespace {

double milliseconds_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

}  // namespace

std::string describe(std::vector<double> milliseconds) {
  if (milliseconds.empty()) return "never run";
  std::sort(milliseconds.begin(), milliseconds.end());
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "%8.2f ms least, %8.2f ms median", milliseconds.front(),
                milliseconds[milliseconds.size() / 2]);
  return text.data();
}

Times now() { return {milliseconds_of(CLOCK_MONOTONIC), milliseconds_of(CLOCK_PROCESS_CPUTIME_ID)}; }

}  // namespace gpuharden::test
