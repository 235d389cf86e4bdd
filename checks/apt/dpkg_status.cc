// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/dpkg_status.h"

#include <algorithm>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMostBadLines = 100;

std::string_view next_word(std::string_view& text) {
  text = trim(text);
  const auto end = std::min(text.find_first_of(" \t"), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

void set_status(std::string_view value, DpkgPackage& package) {
  package.want = next_word(value);
  package.error = next_word(value);
  package.state = next_word(value);
}

// "nvidia-graphics-drivers (535.1-2)"
void set_source(std::string_view value, DpkgPackage& package) {
  const auto open = value.find('(');
  package.source = trim(value.substr(0, open));
  if (open == std::string_view::npos) return;
  package.source_version = trim(value.substr(open + 1, value.find(')', open) - open - 1));
}

void set_field(std::string_view name, std::string_view value, DpkgPackage& package) {
  // The length comes first: most of a status file are fields that nobody asks for.
  switch (name.size()) {
    case 6:
      if (equals_ignore_case(name, "Status")) set_status(value, package);
      if (equals_ignore_case(name, "Source")) set_source(value, package);
      break;
    case 7:
      if (equals_ignore_case(name, "Package")) package.name = value;
      if (equals_ignore_case(name, "Version")) package.version = value;
      if (equals_ignore_case(name, "Section")) package.section = value;
      break;
    case 10:
      if (equals_ignore_case(name, "Maintainer")) package.maintainer = value;
      break;
    case 12:
      if (equals_ignore_case(name, "Architecture")) package.architecture = value;
      break;
    default: break;
  }
}

class StatusReader {
 public:
  explicit StatusReader(std::vector<std::uint32_t>& bad_lines) : bad_lines_(bad_lines) {}

  void take(std::string_view line, std::uint32_t number) {
    if (line.empty()) return finish();
    if (line[0] == ' ' || line[0] == '\t') return;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return bad(number);
    if (package_.line == 0) package_.line = number;
    set_field(line.substr(0, colon), trim(line.substr(colon + 1)), package_);
  }

  void finish() {
    if (package_.line != 0 && package_.name.empty()) bad(package_.line);
    if (!package_.name.empty()) packages_.push_back(package_);
    package_ = {};
  }

  std::vector<DpkgPackage> packages() && { return std::move(packages_); }

 private:
  void bad(std::uint32_t number) {
    if (bad_lines_.size() < kMostBadLines) bad_lines_.push_back(number);
  }

  std::vector<std::uint32_t>& bad_lines_;
  std::vector<DpkgPackage> packages_;
  DpkgPackage package_;
};

}  // namespace

std::vector<DpkgPackage> parse_dpkg_status(std::string_view text, std::vector<std::uint32_t>& bad_lines) {
  StatusReader reader(bad_lines);
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    auto line = text.substr(at, end - at);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    reader.take(line, ++number);
    at = end + 1;
  }
  reader.finish();
  return std::move(reader).packages();
}

}  // namespace gpuharden
