// SPDX-License-Identifier: GPL-2.0-or-later
// gpuharden-make-capture FOLDER [NAME=COUNT...]: writes the capture "gpu-server".
#include <cstdio>
#include <exception>
#include <string_view>

#include "engine/base/text.h"
#include "tests/bench/gpu_server.h"

namespace gpuharden::test {
namespace {

bool set_member(ServerSize& size, std::string_view word) {
  const auto equals = word.find('=');
  auto* member = member_of(size, word.substr(0, equals));
  const auto count = equals == std::string_view::npos ? std::nullopt : parse_unsigned(word.substr(equals + 1));
  if (member == nullptr || !count) return false;
  *member = static_cast<std::size_t>(*count);
  return true;
}

int make(int count, char** arguments) {
  ServerSize size;
  bool good = count >= 2;
  for (int i = 2; i < count; ++i) good = set_member(size, arguments[i]) && good;
  if (!good) {
    std::fputs("usage: gpuharden-make-capture FOLDER [NAME=COUNT...]\n", stderr);
    return 64;
  }
  write_gpu_server(arguments[1], size);
  return 0;
}

}  // namespace
}  // namespace gpuharden::test

int main(int count, char** arguments) {
  try {
    return gpuharden::test::make(count, arguments);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "gpuharden-make-capture: %s\n", exception.what());
    return 1;
  }
}
