// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a fuzz target over its corpus without libFuzzer: each seed, and variations of it that are the
// same in every run. The input that ends the program is left in a file.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/base/text.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {
namespace fs = std::filesystem;

// Of a seed, and of all seeds together. Under the sanitizers each run takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kVariationsOfASeed = 500;
constexpr std::size_t kVariations = 10000;
constexpr auto kLongestRun = std::chrono::seconds(60);
#else
constexpr std::size_t kVariationsOfASeed = 2000;
constexpr std::size_t kVariations = 40000;
constexpr auto kLongestRun = std::chrono::seconds(10);
#endif

// For the signal handler, which may use nothing else.
std::string current_input;  // NOLINT: see above
char crash_file[512];       // NOLINT: see above

void leave_input(int signal_number) {
  const int fd = ::open(crash_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd >= 0 && ::write(fd, current_input.data(), current_input.size()) >= 0) {
    static constexpr std::string_view kText = "the input that did it is in ";
    if (::write(STDERR_FILENO, kText.data(), kText.size()) < 0) ::_exit(1);
    if (::write(STDERR_FILENO, crash_file, std::char_traits<char>::length(crash_file)) < 0) ::_exit(1);
    if (::write(STDERR_FILENO, "\n", 1) < 0) ::_exit(1);
  }
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

std::vector<std::string> read_corpus(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds = {""};
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return seeds;
}

void run(std::string input) {
  current_input = std::move(input);
  const auto start = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current_input.data()), current_input.size());
  if (std::chrono::steady_clock::now() - start > kLongestRun) {
    std::fputs("one input took more time than it may\n", stderr);
    ::abort();
  }
}

int replay(const std::string& folder) {
  const std::string name = fs::path(folder).filename();
  std::snprintf(crash_file, sizeof crash_file, "crash-%s", name.c_str());
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) ::signal(number, &leave_input);
  const auto seeds = read_corpus(folder);
  if (seeds.size() < 2) {
    std::fprintf(stderr, "%s holds no seed\n", folder.c_str());
    return 1;
  }
  const auto variations = std::min(kVariationsOfASeed, kVariations / seeds.size());
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    run(seeds[i]);
    Random random(i);
    for (std::size_t j = 0; j < variations; ++j) run(mutate(seeds[i], seeds, random));
  }
  std::printf("%s: %zu seeds, %zu variations of each\n", name.c_str(), seeds.size(), variations);
  return 0;
}

}  // namespace
}  // namespace gpuharden::test

// The handlers above want the signal, not the sanitizers' own exit.
extern "C" const char* __asan_default_options() { return "abort_on_error=1:handle_abort=0"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s CORPUS\n", arguments[0]);
    return 64;
  }
  return gpuharden::test::replay(arguments[1]);
}
