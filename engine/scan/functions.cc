// SPDX-License-Identifier: GPL-2.0-or-later
// The functions that rules may call.
#include <arpa/inet.h>
#include <re2/re2.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/scan/virtual_table.h"

namespace gpuharden {
namespace {

// Sorted. SQLite's own functions that depend on nothing but their arguments, and ours.
constexpr std::array<std::string_view, 48> kAllowed = {"abs",
                                                       "avg",
                                                       "char",
                                                       "coalesce",
                                                       "count",
                                                       "glob",
                                                       "glob_any",
                                                       "group_concat",
                                                       "hex",
                                                       "ifnull",
                                                       "iif",
                                                       "in_branch",
                                                       "instr",
                                                       "ip_in",
                                                       "ip_is_loopback",
                                                       "json_array_length",
                                                       "json_each",
                                                       "json_extract",
                                                       "json_group_array",
                                                       "json_type",
                                                       "json_valid",
                                                       "length",
                                                       "like",
                                                       "lower",
                                                       "ltrim",
                                                       "max",
                                                       "min",
                                                       "mode_allows",
                                                       "nullif",
                                                       "octal",
                                                       "printf",
                                                       "quote",
                                                       "regexp",
                                                       "replace",
                                                       "round",
                                                       "rtrim",
                                                       "sign",
                                                       "substr",
                                                       "substring",
                                                       "sum",
                                                       "total",
                                                       "trim",
                                                       "typeof",
                                                       "unicode",
                                                       "unlikely",
                                                       "upper",
                                                       "upstream",
                                                       "version_lt"};

using Values = sqlite3_value**;

std::string_view text_of(sqlite3_value* value) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return bytes == nullptr ? std::string_view()
                          : std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

bool any_null(int count, Values values) {
  return std::any_of(values, values + count, [](sqlite3_value* v) { return sqlite3_value_type(v) == SQLITE_NULL; });
}

void result(sqlite3_context* context, std::optional<std::int64_t> value) {
  if (value) {
    sqlite3_result_int64(context, *value);
  } else {
    sqlite3_result_null(context);
  }
}

// version_lt(scheme, a, b): NULL when a or b is not of the scheme.
void version_lt(sqlite3_context* context, int count, Values values) {
  const auto scheme = parse_version_scheme(text_of(values[0]));
  if (!scheme) return sqlite3_result_error(context, "version_lt: the scheme is dpkg, dotted, semver or pep440", -1);
  if (any_null(count, values)) return;
  const auto order = compare_versions(*scheme, text_of(values[1]), text_of(values[2]));
  result(context, order ? std::optional<std::int64_t>(*order < 0 ? 1 : 0) : std::nullopt);
}

// in_branch(version, branch): whether "7.2.1" is of branch "7.2"; any version is of branch "".
void in_branch(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  sqlite3_result_int(context, is_in_branch(text_of(values[0]), text_of(values[1])) ? 1 : 0);
}

void upstream(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const std::string version = upstream_version(text_of(values[0]));
  if (!version.empty()) sqlite3_result_text64(context, version.data(), version.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

struct Address {
  int family;
  std::array<unsigned char, 16> bytes{};
};

std::optional<Address> parse_address(std::string_view text) {
  const std::string copy(text.substr(0, text.find('%')));
  Address address{copy.find(':') == std::string::npos ? AF_INET : AF_INET6, {}};
  if (::inet_pton(address.family, copy.c_str(), address.bytes.data()) != 1) return std::nullopt;
  // An IPv4 address in IPv6 clothes is that IPv4 address.
  static constexpr std::array<unsigned char, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (address.family == AF_INET6 && std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin())) {
    Address v4{AF_INET, {}};
    std::copy_n(address.bytes.begin() + 12, 4, v4.bytes.begin());
    return v4;
  }
  return address;
}

// Whether the address lies in "10.0.0.0/8"; nothing when one of them makes no sense.
std::optional<bool> is_in(std::string_view address_text, std::string_view network_text) {
  const auto slash = network_text.find('/');
  const auto address = parse_address(address_text);
  const auto network = parse_address(network_text.substr(0, slash));
  if (!address || !network || slash == std::string_view::npos) return std::nullopt;
  const auto prefix = parse_unsigned(network_text.substr(slash + 1));
  if (!prefix || *prefix > (network->family == AF_INET ? 32U : 128U)) return std::nullopt;
  if (address->family != network->family) return false;
  for (std::size_t bit = 0; bit < *prefix; ++bit) {
    const auto mask = static_cast<unsigned char>(0x80U >> (bit % 8));
    if (((address->bytes[bit / 8] ^ network->bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

void ip_in(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const auto inside = is_in(text_of(values[0]), text_of(values[1]));
  result(context, inside ? std::optional<std::int64_t>(*inside ? 1 : 0) : std::nullopt);
}

void ip_is_loopback(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const auto address = parse_address(text_of(values[0]));
  if (!address) return;
  const bool loopback =
      address->family == AF_INET ? address->bytes[0] == 127 : is_in(text_of(values[0]), "::1/128").value_or(false);
  sqlite3_result_int(context, loopback ? 1 : 0);
}

// mode_allows(mode, 'o+w'): whether any of the named classes has all of the named permissions.
void mode_allows(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const auto mode = static_cast<std::uint64_t>(sqlite3_value_int64(values[0]));
  const auto what = text_of(values[1]);
  const auto plus = what.find('+');
  if (plus == std::string_view::npos || plus + 1 == what.size()) {
    return sqlite3_result_error(context, "mode_allows: write classes+permissions, as in 'go+w'", -1);
  }
  std::uint64_t bits = 0;
  for (const char c : what.substr(plus + 1)) {
    if (c != 'r' && c != 'w' && c != 'x')
      return sqlite3_result_error(context, "mode_allows: permissions are r, w and x", -1);
    bits |= c == 'r' ? 4U : c == 'w' ? 2U : 1U;
  }
  bool allows = false;
  for (const char c : what.substr(0, plus)) {
    const unsigned shift = c == 'u' ? 6 : c == 'g' ? 3 : 0;
    if (c != 'u' && c != 'g' && c != 'o')
      return sqlite3_result_error(context, "mode_allows: classes are u, g and o", -1);
    allows = allows || (((mode >> shift) & bits) == bits);
  }
  sqlite3_result_int(context, allows ? 1 : 0);
}

void octal(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const auto value = parse_unsigned(text_of(values[0]), 8);
  if (!value) return sqlite3_result_error(context, "octal: an octal number in quotes is expected", -1);
  sqlite3_result_int64(context, static_cast<std::int64_t>(*value));
}

using Globs = std::vector<std::string>;

// The patterns of a JSON list; nothing when it is none.
std::optional<Globs> parse_globs(std::string_view list) {
  const auto json = nlohmann::json::parse(list, nullptr, false);
  if (!json.is_array()) return std::nullopt;
  Globs globs;
  for (const auto& pattern : json) {
    if (pattern.is_string()) globs.push_back(pattern.get<std::string>());
  }
  return globs;
}

// Whether the text matches one of a list's patterns, as GLOB does. A list that is a parameter is taken apart
// once for a statement, where EXISTS over json_each does it for each row.
void glob_any(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  const auto* globs = static_cast<const Globs*>(sqlite3_get_auxdata(context, 1));
  std::optional<Globs> parsed;
  if (globs == nullptr) {
    parsed = parse_globs(text_of(values[1]));
    if (!parsed) return sqlite3_result_error(context, "glob_any: a JSON list is expected", -1);
    globs = &*parsed;
  }
  const std::string text(text_of(values[0]));
  const bool matches = std::any_of(globs->begin(), globs->end(), [&](const std::string& pattern) {
    return sqlite3_strglob(pattern.c_str(), text.c_str()) == 0;
  });
  sqlite3_result_int(context, matches ? 1 : 0);
  if (!parsed) return;
  auto kept = std::make_unique<Globs>(*std::move(parsed));
  sqlite3_set_auxdata(context, 1, kept.release(), [](void* old) { delete static_cast<Globs*>(old); });
}

using Patterns = std::map<std::string, std::unique_ptr<RE2>, std::less<>>;

void regexp(sqlite3_context* context, int count, Values values) {
  if (any_null(count, values)) return;
  auto& patterns = *static_cast<Patterns*>(sqlite3_user_data(context));
  const auto pattern = text_of(values[0]);
  auto found = patterns.find(pattern);
  if (found == patterns.end()) {
    RE2::Options options(RE2::Quiet);
    options.set_max_mem(4 << 20);
    found = patterns.emplace(std::string(pattern), std::make_unique<RE2>(std::string(pattern), options)).first;
  }
  if (!found->second->ok()) return sqlite3_result_error(context, ("regexp: " + found->second->error()).c_str(), -1);
  const auto text = text_of(values[1]);
  sqlite3_result_int(context, RE2::PartialMatch({text.data(), text.size()}, *found->second) ? 1 : 0);
}

struct Function {
  const char* name;
  int arguments;
  void (*call)(sqlite3_context*, int, Values);
};

constexpr std::array<Function, 8> kFunctions = {{{"version_lt", 3, &version_lt},
                                                 {"in_branch", 2, &in_branch},
                                                 {"upstream", 1, &upstream},
                                                 {"ip_in", 2, &ip_in},
                                                 {"ip_is_loopback", 1, &ip_is_loopback},
                                                 {"mode_allows", 2, &mode_allows},
                                                 {"octal", 1, &octal},
                                                 {"glob_any", 2, &glob_any}}};

}  // namespace

void register_functions(sqlite3* handle) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  for (const auto& function : kFunctions) {
    sqlite3_create_function_v2(handle, function.name, function.arguments, kFlags, nullptr, function.call, nullptr,
                               nullptr, nullptr);
  }
  sqlite3_create_function_v2(handle, "regexp", 2, kFlags, new Patterns(), &regexp, nullptr,
                             nullptr,  // NOLINT: freed below
                             [](void* patterns) { delete static_cast<Patterns*>(patterns); });
}

bool is_allowed_function(std::string_view name) {
  const std::string lower = to_lower(name);
  return std::find(kAllowed.begin(), kAllowed.end(), lower) != kAllowed.end();
}

}  // namespace gpuharden
