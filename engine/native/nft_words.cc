// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/nft_words.h"

#include <linux/netfilter.h>

#include <algorithm>
#include <map>

#include "engine/base/text.h"
#include "engine/native/netlink_bytes.h"
#include "engine/native/nft_schema.h"
#include "engine/native/nft_text.h"

namespace gpuharden {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 6> kFamilies = {{{"inet", NFPROTO_INET},
                                                                        {"ip", NFPROTO_IPV4},
                                                                        {"arp", NFPROTO_ARP},
                                                                        {"netdev", NFPROTO_NETDEV},
                                                                        {"bridge", NFPROTO_BRIDGE},
                                                                        {"ip6", NFPROTO_IPV6}}};
constexpr std::array<std::pair<std::string_view, std::int32_t>, 8> kVerdicts = {{{"drop", NF_DROP},
                                                                                 {"accept", NF_ACCEPT},
                                                                                 {"continue", NFT_CONTINUE},
                                                                                 {"break", NFT_BREAK},
                                                                                 {"jump", NFT_JUMP},
                                                                                 {"goto", NFT_GOTO},
                                                                                 {"return", NFT_RETURN},
                                                                                 {"queue", NF_QUEUE}}};
constexpr std::size_t kMaxWord = 16384;

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-./@+*:!#").find(c) != std::string_view::npos;
}

}  // namespace

// A name as one word.
std::string escape_nft_name(std::string_view text) {
  std::string out;
  for (const char c : text) out += is_plain(c) ? std::string(1, c) : concat({"%", to_hex({&c, 1})});
  return out.empty() ? "%" : out;
}

std::optional<std::string> nft_bytes_from_hex(std::string_view text) {
  std::string bytes;
  if (text.size() % 2 != 0) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto byte = parse_unsigned(text.substr(i, 2), 16);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

std::string unescape_nft_name(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto byte = word[i] == '%' && i + 2 < word.size() ? nft_bytes_from_hex(word.substr(i + 1, 2)) : std::nullopt;
    if (byte) i += 2;
    if (byte || word[i] != '%') out += byte ? *byte : std::string(1, word[i]);
  }
  return out;
}

std::string format_nft_data(const NftData& data) {
  return data.verdict ? nft_verdict_name(*data.verdict) : "0x" + to_hex(data.bytes);
}

std::optional<NftVerdict> parse_nft_verdict(std::string_view word) {
  const auto colon = word.find(':');
  const auto name = word.substr(0, colon);
  const std::string chain = colon == std::string_view::npos ? "" : unescape_nft_name(word.substr(colon + 1));
  for (const auto& [text, code] : kVerdicts) {
    if (name == text) return NftVerdict{code, chain};
  }
  const auto number = parse_c_integer(name);
  if (!number) return std::nullopt;
  return NftVerdict{static_cast<std::int32_t>(*number), chain};
}

std::optional<NftData> parse_nft_data(std::string_view word) {
  if (!word.starts_with("0x")) {
    const auto verdict = parse_nft_verdict(word);
    return verdict ? std::optional(NftData{"", verdict}) : std::nullopt;
  }
  const auto bytes = nft_bytes_from_hex(word.substr(2));
  return bytes ? std::optional(NftData{*bytes, {}}) : std::nullopt;
}

namespace {

const NftAttributeName* schema_of(std::string_view expression, std::uint16_t type) {
  const auto* found = std::find_if(kNftAttributes.begin(), kNftAttributes.end(), [&](const NftAttributeName& entry) {
    return entry.expression == expression && entry.type == type;
  });
  return found == kNftAttributes.end() ? nullptr : found;
}

// The attribute's value by its schema; nothing when it would not come back the same.
std::optional<std::string> value_word(NftAttributeKind kind, const std::string& bytes) {
  switch (kind) {
    case NftAttributeKind::kNumber:
    case NftAttributeKind::kLongNumber:
      if (bytes.size() != (kind == NftAttributeKind::kNumber ? 4U : 8U)) return std::nullopt;
      return std::to_string(*network_number(bytes));
    case NftAttributeKind::kText:
      if (bytes.empty() || bytes.find('\0') != bytes.size() - 1) return std::nullopt;
      return escape_nft_name(text_until_nul(bytes));
    case NftAttributeKind::kData: {
      const auto data = decode_nft_data(bytes);
      if (data.bytes.empty() == !data.verdict) return std::nullopt;
      return format_nft_data(data);
    }
    case NftAttributeKind::kBytes: return to_hex(bytes);
  }
  return std::nullopt;
}

std::optional<std::string> value_bytes(NftAttributeKind kind, std::string_view word) {
  switch (kind) {
    case NftAttributeKind::kNumber:
    case NftAttributeKind::kLongNumber: {
      const auto number = parse_unsigned(word);
      if (!number) return std::nullopt;
      return to_network(*number, kind == NftAttributeKind::kNumber ? 4 : 8);
    }
    case NftAttributeKind::kText: return unescape_nft_name(word) + std::string(1, '\0');
    case NftAttributeKind::kData: {
      const auto data = parse_nft_data(word);
      return data ? std::optional(encode_nft_data(*data)) : std::nullopt;
    }
    case NftAttributeKind::kBytes: return nft_bytes_from_hex(word);
  }
  return std::nullopt;
}

}  // namespace

std::string nft_family_name(int family) {
  for (const auto& [name, number] : kFamilies) {
    if (family == number) return std::string(name);
  }
  return std::to_string(family);
}

std::optional<int> parse_nft_family(std::string_view word) {
  for (const auto& [name, number] : kFamilies) {
    if (word == name) return number;
  }
  const auto number = parse_unsigned(word);
  return number && *number < 256 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::string nft_verdict_name(const NftVerdict& verdict) {
  std::string name = std::to_string(verdict.code);
  for (const auto& [text, code] : kVerdicts) {
    if (code == verdict.code) name = text;
  }
  return verdict.chain.empty() ? name : concat({name, ":", escape_nft_name(verdict.chain)});
}

std::string format_nft_expression(const NftExpression& expression) {
  std::string out = escape_nft_name(expression.name);
  for (const auto& attribute : expression.attributes) {
    const auto* schema = schema_of(expression.name, attribute.type);
    const auto value = schema == nullptr ? std::nullopt : value_word(schema->kind, attribute.bytes);
    out += value ? concat({" ", schema->name, "=", *value})
                 : concat({" #", std::to_string(attribute.type), "=", to_hex(attribute.bytes)});
  }
  return out;
}

std::optional<NftAttribute> parse_nft_attribute(std::string_view expression, std::string_view word) {
  const auto equals = word.find('=');
  if (equals == std::string_view::npos || word.size() > kMaxWord) return std::nullopt;
  const auto name = word.substr(0, equals);
  const auto value = word.substr(equals + 1);
  if (name.starts_with('#')) {
    const auto type = parse_unsigned(name.substr(1));
    const auto bytes = nft_bytes_from_hex(value);
    if (!type || *type > 0x3fff || !bytes) return std::nullopt;
    return NftAttribute{static_cast<std::uint16_t>(*type), *bytes};
  }
  for (const auto& entry : kNftAttributes) {
    if (entry.expression != expression || entry.name != name) continue;
    const auto bytes = value_bytes(entry.kind, value);
    return bytes ? std::optional(NftAttribute{entry.type, *bytes}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace gpuharden
