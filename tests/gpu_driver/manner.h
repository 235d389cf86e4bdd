// SPDX-License-Identifier: GPL-2.0-or-later
// How the test driver behaves: its file name says so, since the worker that opens it has no environment.
// "flip.so" flips a bit, "init-802.so" answers 802 to cuInit, "good.so" computes.
#pragma once

#include <string>

namespace gpuharden::test {

// The file name of this library, as it was opened, without its ending.
const std::string& manner();
inline bool is_manner(const char* name) { return manner() == name; }
// The number behind `prefix` in the name, or `otherwise`.
int manner_number(const char* prefix, int otherwise);

// What a launch does instead of computing, or nothing.
enum class Trick { kNone, kNothing, kFlip, kOtherSeed };
Trick trick_for(const std::string& kernel);

// Called by every entry point of that kind; may never come back.
void misbehave_in(const char* place);

}  // namespace gpuharden::test
