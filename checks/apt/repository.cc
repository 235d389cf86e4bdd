// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/repository.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// The transport below apt's own wrappers. Bare mirror: and tor: fetch over http.
std::string network_scheme(std::string_view scheme) {
  const auto plus = scheme.rfind('+');
  std::string last = to_lower(plus == std::string_view::npos ? scheme : scheme.substr(plus + 1));
  return last == "mirror" || last == "tor" ? "http" : last;
}

bool is_plain_scheme(std::string_view scheme) { return scheme == "http" || scheme == "ftp" || scheme == "rsh"; }

std::string quote(std::string_view text) {
  constexpr std::string_view kQuoted = "\\|{}[]<>\"^~_=!@#$%&*";
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/') {
      out += '_';
    } else if (byte <= 0x20 || byte >= 0x7f || kQuoted.find(c) != std::string_view::npos) {
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    } else {
      out += c;
    }
  }
  return out;
}

// Sets the path and returns the host with its port, both as written.
std::string split_rest(std::string_view rest, Repository& out) {
  if (rest.substr(0, 2) != "//") {
    out.path = rest;
    return "";
  }
  rest.remove_prefix(2);
  const auto slash = rest.find('/');
  out.path = slash == std::string_view::npos ? "/" : std::string(rest.substr(slash));
  auto authority = rest.substr(0, slash);
  const auto at = authority.rfind('@');
  out.has_credentials = at != std::string_view::npos;
  return std::string(out.has_credentials ? authority.substr(at + 1) : authority);
}

std::string host_of(const std::string& authority) {
  const auto bracket = authority.find(']');  // of an IPv6 address
  const auto port = authority.find(':', bracket == std::string::npos ? 0 : bracket);
  return to_lower(std::string_view(authority).substr(0, port));
}

std::string place_key(const std::string& authority, std::string path, std::string_view suite) {
  if (path.empty() || path.back() != '/') path += '/';
  std::string key = authority + path;
  if (!suite.empty() && suite.back() == '/') return suite == "/" ? key : key + std::string(suite);
  return concat({key, "dists/", suite, "/"});
}

}  // namespace

Repository parse_repository(std::string_view uri, std::string_view suite) {
  Repository out;
  const auto colon = uri.find(':');
  if (colon == std::string_view::npos) {
    out.uri = uri;
    return out;
  }
  const auto scheme = uri.substr(0, colon);
  const std::string authority = split_rest(uri.substr(colon + 1), out);
  out.uri = out.has_credentials ? concat({scheme, "://", authority, out.path}) : std::string(uri);
  out.scheme = network_scheme(scheme);
  out.is_plain = is_plain_scheme(out.scheme);
  out.is_local = equals_ignore_case(scheme, "file") || equals_ignore_case(scheme, "copy");
  out.host = host_of(authority);
  out.key = place_key(authority, out.path, suite);
  out.list_name = quote(out.key);
  return out;
}

}  // namespace gpuharden
