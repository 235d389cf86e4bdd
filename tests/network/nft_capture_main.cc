// SPDX-License-Identifier: GPL-2.0-or-later
// Prints the "nft" of a host.yaml: for a file with rules of nft, loaded into a network namespace that ends with this
// process, or, without a file, for the namespace that it runs in.
#include <sched.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/native/nft.h"
#include "engine/native/nft_text.h"
#include "tests/network/nft_loader.h"

namespace {

int fail(const std::string& sentence) {
  std::cerr << "gpuharden-nft-capture: " << sentence << "\n";
  return 1;
}

std::string load_file(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!file) return std::string(path) + " cannot be read";
  if (::unshare(CLONE_NEWNET) != 0) return "no network namespace could be made (root is needed)";
  return gpuharden::test::load_rules(text.str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) return fail("usage: gpuharden-nft-capture [FILE.nft]");
  const std::string fault = argc == 2 ? load_file(argv[1]) : "";
  if (!fault.empty()) return fail(fault);
  const auto messages = gpuharden::dump_nft();
  if (!messages) return fail(messages.error().message);
  const auto ruleset = gpuharden::decode_nft(*messages);
  if (!ruleset) return fail(ruleset.error().message);
  std::istringstream lines(gpuharden::format_nft_text(*ruleset));
  std::cout << "nft: |\n";
  for (std::string line; std::getline(lines, line);) std::cout << "  " << line << "\n";
  std::cout << "links: []\n";
  return 0;
}
