// SPDX-License-Identifier: GPL-2.0-or-later
// What a capture only says of its files, made true: for tests that change a tree.
#pragma once

#include <string>

namespace gpuharden::test {

// `root` holds the files of the capture in `capture`: they get the owners, modes, times and attributes that its
// host.yaml lays over them; nodes of devices, links and folders that only stand there are made. Needs root.
void make_real(const std::string& capture, const std::string& root);

}  // namespace gpuharden::test
