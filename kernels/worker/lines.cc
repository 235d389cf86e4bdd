// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels/worker/lines.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace gpuharden::kernels {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_escaped(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      // Names of devices and errors are ASCII; what is not is shown byte by byte.
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string hex(std::uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, 16).ptr;
  return "\"0x" + std::string(digits.begin(), end) + '"';
}

}  // namespace

Line::Line(std::string_view kind) : out_("{\"kind\":") { append_escaped(out_, kind); }

void Line::key(std::string_view name) {
  out_ += ',';
  append_escaped(out_, name);
  out_ += ':';
}

Line& Line::text(std::string_view name, std::string_view value) {
  key(name);
  append_escaped(out_, value.substr(0, 1024));
  return *this;
}

Line& Line::whole(std::string_view name, std::uint64_t value) {
  key(name);
  out_ += std::to_string(value);
  return *this;
}

Line& Line::real(std::string_view name, double value) {
  key(name);
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::fixed, 3);
  out_ += end.ec == std::errc() && value >= 0 ? std::string(digits.begin(), end.ptr) : "0";
  return *this;
}

Line& Line::flag(std::string_view name, bool value) {
  key(name);
  out_ += value ? "true" : "false";
  return *this;
}

Line& Line::bits(std::string_view name, std::uint64_t value) {
  key(name);
  out_ += hex(value);
  return *this;
}

Line& Line::bits(std::string_view name, const std::vector<std::uint64_t>& values) {
  key(name);
  out_ += '[';
  for (const auto value : values) out_ += hex(value) + ',';
  if (!values.empty()) out_.pop_back();
  out_ += ']';
  return *this;
}

void Line::send(int fd) {
  out_ += "}\n";
  std::string_view rest = out_;
  while (!rest.empty()) {
    const auto count = ::write(fd, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

void enter_stage(std::string_view name) { Line("stage").text("name", name).send(); }

}  // namespace gpuharden::kernels
