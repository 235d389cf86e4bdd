// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/x509.h"

#include <array>

#include "checks/kernel/der.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::uint8_t kVersion = 0xa0;
constexpr std::uint8_t kExtensions = 0xa3;
constexpr std::uint8_t kWideString = 0x1e;  // UTF-16

struct Label {
  std::string_view identifier, name;
};
constexpr std::array<Label, 4> kLabels = {{{"2.5.4.3", "CN"}, {"2.5.4.10", "O"}, {"2.5.4.11", "OU"}, {"2.5.4.6", "C"}}};
constexpr std::string_view kKeyIdentifier = "2.5.29.14";
constexpr std::string_view kExtendedKeyUsage = "2.5.29.37";

Error malformed(std::string_view what) { return {ErrorCode::kMalformed, concat({"certificate: ", what})}; }

// "CN=…, O=…"; `common_name` gets the first CN.
std::string format_name(std::string_view name, std::string& common_name) {
  std::vector<std::string> parts;
  while (const auto set = take_der(name, kDerSet)) {
    auto inner = set->content;
    const auto pair = take_der(inner, kDerSequence);
    if (!pair) continue;
    auto rest = pair->content;
    const auto type = take_der(rest, kDerName);
    const auto value = type ? take_der(rest) : std::nullopt;
    if (!value || value->tag == kWideString) continue;
    const auto identifier = format_object_identifier(type->content);
    for (const auto& label : kLabels) {
      if (identifier == label.identifier) parts.push_back(concat({label.name, "=", value->content}));
    }
    if (identifier == kLabels[0].identifier && common_name.empty()) common_name = value->content;
  }
  return join(parts, ", ");
}

std::string format_serial(std::string_view content) {
  while (content.size() > 1 && content.front() == '\0') content.remove_prefix(1);
  return to_hex(content);
}

void read_extension(std::string_view extension, Certificate& out) {
  const auto type = take_der(extension, kDerName);
  if (!type) return;
  static_cast<void>(take_der(extension, kDerBoolean));
  const auto wrapped = take_der(extension, kDerOctets);
  if (!wrapped) return;
  auto value = wrapped->content;
  const auto identifier = format_object_identifier(type->content);
  if (identifier == kKeyIdentifier) {
    if (const auto key = take_der(value, kDerOctets)) out.key_id = to_hex(key->content);
  } else if (identifier == kExtendedKeyUsage) {
    const auto list = take_der(value, kDerSequence);
    auto rest = list ? list->content : std::string_view();
    while (const auto purpose = take_der(rest, kDerName)) {
      out.purposes.push_back(format_object_identifier(purpose->content));
    }
  }
}

void read_extensions(std::string_view rest, Certificate& out) {
  while (const auto field = take_der(rest)) {
    if (field->tag != kExtensions) continue;
    auto inner = field->content;
    const auto list = take_der(inner, kDerSequence);
    auto extensions = list ? list->content : std::string_view();
    while (const auto extension = take_der(extensions, kDerSequence)) read_extension(extension->content, out);
  }
}

Status read_validity(std::string_view& rest, Certificate& out) {
  const auto validity = take_der(rest, kDerSequence);
  if (!validity) return malformed("no validity");
  auto times = validity->content;
  const auto from = take_der(times);
  const auto to = from ? take_der(times) : std::nullopt;
  const auto not_before = from ? parse_der_time(*from) : std::nullopt;
  const auto not_after = to ? parse_der_time(*to) : std::nullopt;
  if (!not_before || !not_after) return malformed("no dates that make sense");
  out.not_before = *not_before;
  out.not_after = *not_after;
  return {};
}

}  // namespace

Result<Certificate> parse_certificate(std::string_view der) {
  const auto outer = take_der(der, kDerSequence);
  auto inner = outer ? outer->content : std::string_view();
  const auto body = take_der(inner, kDerSequence);
  if (!body) return malformed("not DER, or cut");
  auto rest = body->content;
  static_cast<void>(take_der(rest, kVersion));
  const auto serial = take_der(rest, kDerInteger);
  const auto algorithm = serial ? take_der(rest, kDerSequence) : std::nullopt;
  const auto issuer = algorithm ? take_der(rest, kDerSequence) : std::nullopt;
  if (!issuer) return malformed("no issuer");
  Certificate out;
  out.serial = format_serial(serial->content);
  std::string issuer_name;
  out.issuer = format_name(issuer->content, issuer_name);
  GH_RETURN_IF_ERROR(read_validity(rest, out));
  const auto subject = take_der(rest, kDerSequence);
  if (!subject || !take_der(rest, kDerSequence)) return malformed("no subject or no key");
  out.subject = format_name(subject->content, out.common_name);
  read_extensions(rest, out);
  return out;
}

}  // namespace gpuharden
