// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/uri.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// RFC 3986's pchar without ':', which would make the first segment a scheme.
bool is_plain(char c) {
  const bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_alphanumeric || (c != '\0' && std::string_view("-._~!$&'()*+,;=@").find(c) != std::string_view::npos);
}

std::string encode(std::string_view text, bool keep_slash) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_plain(c) || (c == '/' && keep_slash)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 0xFU];
  }
  return out;
}

}  // namespace

std::string relative_uri(std::string_view path) {
  const auto begin = path.find_first_not_of('/');
  return begin == std::string_view::npos ? std::string() : encode(path.substr(begin), true);
}

std::string uri_segment(std::string_view text) { return encode(text, false); }

}  // namespace gpuharden
