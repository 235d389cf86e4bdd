// SPDX-License-Identifier: GPL-2.0-or-later
// Globs of rules, units and configuration files, and what is printed on a terminal. The first line is the pattern.
#include "engine/base/text.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

constexpr std::size_t kLongestPattern = 4096;  // paths are no longer

void check_terminal(std::string_view text) {
  for (const char c : escape_for_terminal(text)) {
    const auto byte = static_cast<unsigned char>(c);
    require(byte >= 0x20 && byte != 0x7F);
  }
}

void check_glob(std::string_view pattern, std::string_view text) {
  const bool component = glob_match(pattern, text);
  const bool whole = glob_match(pattern, text, true);
  require(!component || whole || pattern.find('[') != std::string_view::npos);
  require(glob_match("*", text, true));
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuharden::test;  // NOLINT: the target is outside of the namespace
  const auto input = text_of(data, size);
  const auto line = input.find('\n');
  const auto pattern = input.substr(0, line).substr(0, kLongestPattern);
  const auto text =
      line == std::string_view::npos ? std::string_view() : input.substr(line + 1).substr(0, kLongestPattern);
  check_glob(pattern, text);
  check_terminal(input);
  require(gpuharden::replace_invalid_utf8(gpuharden::replace_invalid_utf8(input)) ==
          gpuharden::replace_invalid_utf8(input));
  (void)gpuharden::parse_c_integer(text);
  (void)gpuharden::nearest(pattern.substr(0, 64), {"signed-by", "next-boot", std::string(text.substr(0, 64))});
  return 0;
}
