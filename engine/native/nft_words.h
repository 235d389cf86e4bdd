// SPDX-License-Identifier: GPL-2.0-or-later
// The words of nft_text.h: names, bytes, verdicts and expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/native/nft.h"

namespace gpuharden {

// A name as one word: other bytes than letters, digits and some signs become %XX; an empty one is "%".
std::string escape_nft_name(std::string_view text);
std::string unescape_nft_name(std::string_view word);
std::optional<std::string> nft_bytes_from_hex(std::string_view text);

std::optional<int> parse_nft_family(std::string_view word);
std::optional<NftVerdict> parse_nft_verdict(std::string_view word);

// "0x2caa", or a verdict.
std::string format_nft_data(const NftData& data);
std::optional<NftData> parse_nft_data(std::string_view word);

// "cmp sreg=1 op=0 data=0x06"; attributes without a name are "#type=hexadecimal bytes".
std::string format_nft_expression(const NftExpression& expression);
std::optional<NftAttribute> parse_nft_attribute(std::string_view expression, std::string_view word);

}  // namespace gpuharden
