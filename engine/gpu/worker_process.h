// SPDX-License-Identifier: GPL-2.0-or-later
// Starts gpu-worker and listens to it, with a deadline. Several run side by side; none can hold up another.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/gpu/worker_line.h"

namespace gpuharden {

struct WorkerCommand {
  std::string program;                   // absolute
  std::vector<std::string> arguments;    // without the program's name
  std::vector<std::string> environment;  // all of it, NAME=value
  std::chrono::milliseconds deadline{30'000};
  int held = -1;  // a descriptor that the worker keeps open as long as it lives; see worker_claim.h
};

// Everything that a worker said, and how it ended.
struct WorkerTranscript {
  std::vector<WorkerLine> lines;
  std::string fault;         // why it could not be started or its lines could not be read; else empty
  bool timed_out = false;    // it did not end before the deadline
  bool left_behind = false;  // and does not end when asked to: it sits in a call of the kernel
  int exit_code = -1;        // -1 when it did not exit by itself
  int signal = 0;
  std::chrono::milliseconds took{0};
};

// One transcript for each command, in that order. A worker past its deadline is asked to end (SIGTERM) and not waited
// for: killing a process in the middle of a driver's call can freeze the GPU for everybody.
std::vector<WorkerTranscript> run_workers(const std::vector<WorkerCommand>& commands);

}  // namespace gpuharden
