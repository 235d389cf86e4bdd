// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/version.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Digit strings of any length: leading zeros do not count.
int compare_digits(std::string_view a, std::string_view b) {
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string_view take_while(std::string_view& text, bool (*wanted)(char)) {
  const auto end = std::find_if_not(text.begin(), text.end(), wanted);
  const auto part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

// --- dpkg: '~' sorts before the end, letters before other characters.

int dpkg_order(char c) {
  if (c == '~') return -1;
  if (is_letter(c)) return c;
  return c == '\0' ? 0 : c + 256;
}

int compare_dpkg_part(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    while ((!a.empty() && !is_digit(a[0])) || (!b.empty() && !is_digit(b[0]))) {
      const char x = a.empty() || is_digit(a[0]) ? '\0' : a[0];
      const char y = b.empty() || is_digit(b[0]) ? '\0' : b[0];
      if (dpkg_order(x) != dpkg_order(y)) return dpkg_order(x) - dpkg_order(y);
      if (x != '\0') a.remove_prefix(1);
      if (y != '\0') b.remove_prefix(1);
    }
    const int order = compare_digits(take_while(a, &is_digit), take_while(b, &is_digit));
    if (order != 0) return order;
  }
  return 0;
}

struct DpkgVersion {
  std::string_view epoch, upstream, revision;
};

std::optional<DpkgVersion> parse_dpkg(std::string_view text) {
  DpkgVersion version;
  const auto colon = text.find(':');
  if (colon != std::string_view::npos) {
    version.epoch = text.substr(0, colon);
    if (version.epoch.empty() || !std::all_of(version.epoch.begin(), version.epoch.end(), is_digit))
      return std::nullopt;
    text.remove_prefix(colon + 1);
  }
  const auto dash = text.rfind('-');
  version.upstream = text.substr(0, dash);
  if (dash != std::string_view::npos) version.revision = text.substr(dash + 1);
  const auto allowed = [](char c) {
    return is_digit(c) || is_letter(c) || std::string_view(".+~-:").find(c) != std::string_view::npos;
  };
  const bool good =
      !version.upstream.empty() && is_digit(version.upstream[0]) && std::all_of(text.begin(), text.end(), allowed);
  return good ? std::optional(version) : std::nullopt;
}

std::optional<int> compare_dpkg(std::string_view a, std::string_view b) {
  const auto x = parse_dpkg(a);
  const auto y = parse_dpkg(b);
  if (!x || !y) return std::nullopt;
  if (const int order = compare_digits(x->epoch, y->epoch); order != 0) return order;
  if (const int order = compare_dpkg_part(x->upstream, y->upstream); order != 0) return order;
  return compare_dpkg_part(x->revision, y->revision);
}

// --- dotted numbers

std::optional<std::vector<std::string_view>> parse_dotted(std::string_view text) {
  auto parts = split(text, '.');
  const bool good = std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    return !part.empty() && part.size() <= 18 && std::all_of(part.begin(), part.end(), is_digit);
  });
  return good ? std::optional(std::move(parts)) : std::nullopt;
}

// A missing part counts as 0.
int compare_parts(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const int order = compare_digits(i < a.size() ? a[i] : "0", i < b.size() ? b[i] : "0");
    if (order != 0) return order;
  }
  return 0;
}

std::optional<int> compare_dotted(std::string_view a, std::string_view b) {
  const auto x = parse_dotted(a);
  const auto y = parse_dotted(b);
  if (!x || !y) return std::nullopt;
  return compare_parts(*x, *y);
}

// --- semver

struct Semver {
  std::vector<std::string_view> numbers;
  std::vector<std::string_view> pre;  // empty: a release
};

std::optional<Semver> parse_semver(std::string_view text) {
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  text = text.substr(0, text.find('+'));
  const auto dash = text.find('-');
  auto numbers = parse_dotted(text.substr(0, dash));
  if (!numbers) return std::nullopt;
  Semver version{std::move(*numbers), {}};
  if (dash != std::string_view::npos) version.pre = split(text.substr(dash + 1), '.');
  const bool bad =
      std::any_of(version.pre.begin(), version.pre.end(), [](std::string_view part) { return part.empty(); });
  return bad ? std::nullopt : std::optional(std::move(version));
}

int compare_identifier(std::string_view a, std::string_view b) {
  const bool a_number = std::all_of(a.begin(), a.end(), is_digit);
  const bool b_number = std::all_of(b.begin(), b.end(), is_digit);
  if (a_number && b_number) return compare_digits(a, b);
  if (a_number != b_number) return a_number ? -1 : 1;
  return a.compare(b);
}

std::optional<int> compare_semver(std::string_view a, std::string_view b) {
  const auto x = parse_semver(a);
  const auto y = parse_semver(b);
  if (!x || !y) return std::nullopt;
  if (const int order = compare_parts(x->numbers, y->numbers); order != 0) return order;
  if (x->pre.empty() != y->pre.empty()) return x->pre.empty() ? 1 : -1;
  for (std::size_t i = 0; i < std::min(x->pre.size(), y->pre.size()); ++i) {
    if (const int order = compare_identifier(x->pre[i], y->pre[i]); order != 0) return order;
  }
  return static_cast<int>(x->pre.size()) - static_cast<int>(y->pre.size());
}

// --- PEP 440: dev < a < b < rc < release < post

struct Pep440 {
  std::string_view epoch;
  std::vector<std::string_view> release;
  int pre_phase = 3;  // 0 a, 1 b, 2 rc, 3 none
  std::string_view pre, post, dev;
  bool has_post = false;
  bool has_dev = false;
};

void skip_separator(std::string_view& text) {
  if (!text.empty() && std::string_view(".-_").find(text[0]) != std::string_view::npos) text.remove_prefix(1);
}

// Takes "<word><digits>" with optional separators; false when the word is not next.
bool take_segment(std::string_view& text, std::string_view word, std::string_view& number) {
  std::string_view rest = text;
  skip_separator(rest);
  if (rest.substr(0, word.size()) != word) return false;
  rest.remove_prefix(word.size());
  if (rest.size() > 1 && !is_digit(rest[0]) && is_digit(rest[1])) skip_separator(rest);
  number = take_while(rest, &is_digit);
  text = rest;
  return true;
}

std::optional<Pep440> parse_pep440(std::string_view text) {
  Pep440 version;
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  text = text.substr(0, text.find('+'));
  if (const auto bang = text.find('!'); bang != std::string_view::npos) {
    version.epoch = text.substr(0, bang);
    text.remove_prefix(bang + 1);
  }
  std::size_t end = 0;
  while (end < text.size() &&
         (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  const auto release = parse_dotted(text.substr(0, end));
  if (!release || !std::all_of(version.epoch.begin(), version.epoch.end(), is_digit)) return std::nullopt;
  version.release = *release;
  text.remove_prefix(end);
  static constexpr std::array<std::pair<std::string_view, int>, 7> kPhases = {
      {{"alpha", 0}, {"beta", 1}, {"preview", 2}, {"pre", 2}, {"rc", 2}, {"a", 0}, {"b", 1}}};
  for (const auto& [word, phase] : kPhases) {
    if (version.pre_phase == 3 && take_segment(text, word, version.pre)) version.pre_phase = phase;
  }
  if (version.pre_phase == 3 && take_segment(text, "c", version.pre)) version.pre_phase = 2;
  version.has_post = take_segment(text, "post", version.post) || take_segment(text, "rev", version.post);
  version.has_dev = take_segment(text, "dev", version.dev);
  return text.empty() ? std::optional(version) : std::nullopt;
}

std::optional<int> compare_pep440(std::string_view a, std::string_view b) {
  const std::string lower_a = to_lower(trim(a));
  const std::string lower_b = to_lower(trim(b));
  const auto x = parse_pep440(lower_a);
  const auto y = parse_pep440(lower_b);
  if (!x || !y) return std::nullopt;
  if (const int order = compare_digits(x->epoch, y->epoch); order != 0) return order;
  if (const int order = compare_parts(x->release, y->release); order != 0) return order;
  // "1.0.dev1" comes before "1.0a1": a bare dev release is before every phase.
  const auto phase = [](const Pep440& v) { return v.pre_phase == 3 && v.has_dev && !v.has_post ? -1 : v.pre_phase; };
  if (phase(*x) != phase(*y)) return phase(*x) - phase(*y);
  if (const int order = compare_digits(x->pre, y->pre); order != 0) return order;
  if (x->has_post != y->has_post) return x->has_post ? 1 : -1;
  if (const int order = compare_digits(x->post, y->post); order != 0) return order;
  if (x->has_dev != y->has_dev) return x->has_dev ? -1 : 1;
  return compare_digits(x->dev, y->dev);
}

}  // namespace

std::optional<VersionScheme> parse_version_scheme(std::string_view word) {
  if (word == "dpkg") return VersionScheme::kDpkg;
  if (word == "dotted") return VersionScheme::kDotted;
  if (word == "semver") return VersionScheme::kSemver;
  if (word == "pep440") return VersionScheme::kPep440;
  return std::nullopt;
}

std::optional<int> compare_versions(VersionScheme scheme, std::string_view a, std::string_view b) {
  switch (scheme) {
    case VersionScheme::kDpkg: return compare_dpkg(a, b);
    case VersionScheme::kDotted: return compare_dotted(a, b);
    case VersionScheme::kSemver: return compare_semver(a, b);
    case VersionScheme::kPep440: return compare_pep440(a, b);
  }
  return std::nullopt;
}

bool is_in_branch(std::string_view version, std::string_view branch) {
  if (branch.empty()) return true;
  if (!version.empty() && version[0] == 'v') version.remove_prefix(1);
  if (!version.starts_with(branch)) return false;
  return version.size() == branch.size() || !is_digit(version[branch.size()]);
}

std::string upstream_version(std::string_view text) {
  const auto version = parse_dpkg(text);
  return version ? std::string(version->upstream) : std::string();
}

}  // namespace gpuharden
