// SPDX-License-Identifier: GPL-2.0-or-later
// Version strings of packages, modules and wheels: an order, or nothing.
#include "engine/base/version.h"
#include "tests/fuzz/target.h"

namespace gpuharden::test {
namespace {

constexpr std::size_t kLongest = 1024;

void check(VersionScheme scheme, std::string_view a, std::string_view b) {
  const auto forward = compare_versions(scheme, a, b);
  const auto backward = compare_versions(scheme, b, a);
  require(forward.has_value() == backward.has_value());
  if (forward) require((*forward < 0) == (*backward > 0) && (*forward == 0) == (*backward == 0));
  const auto same = compare_versions(scheme, a, a);
  require(!forward || same == 0);
}

}  // namespace
}  // namespace gpuharden::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using gpuharden::VersionScheme;
  const auto text = gpuharden::test::text_of(data, size);
  const auto line = text.find('\n');
  const auto a = text.substr(0, line).substr(0, gpuharden::test::kLongest);
  const auto b =
      line == std::string_view::npos ? std::string_view() : text.substr(line + 1).substr(0, gpuharden::test::kLongest);
  for (const auto scheme :
       {VersionScheme::kDpkg, VersionScheme::kDotted, VersionScheme::kSemver, VersionScheme::kPep440}) {
    gpuharden::test::check(scheme, a, b);
  }
  (void)gpuharden::upstream_version(a);
  return 0;
}
