// SPDX-License-Identifier: GPL-2.0-or-later
// Times of several runs of the same thing.
#pragma once

#include <string>
#include <vector>

namespace gpuharden::test {

struct Times {
  double wall = 0;  // ms
  double cpu = 0;   // ms, user and system
};

// "12.3 ms least, 13.4 ms median": the least tells the cost, the median what one sees.
std::string describe(std::vector<double> milliseconds);

// Milliseconds of the monotonic clock, and of CPU time that this process has used.
Times now();

}  // namespace gpuharden::test
