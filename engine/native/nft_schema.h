// SPDX-License-Identifier: GPL-2.0-or-later
// The names of the attributes of nf_tables' expressions, and what they hold.
#pragma once

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nf_tables_compat.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace gpuharden {

enum class NftAttributeKind : std::uint8_t { kNumber, kLongNumber, kText, kData, kBytes };

struct NftAttributeName {
  std::string_view expression;
  std::uint16_t type;
  std::string_view name;
  NftAttributeKind kind = NftAttributeKind::kNumber;
};

inline constexpr std::array<NftAttributeName, 76> kNftAttributes = {{
    {"immediate", NFTA_IMMEDIATE_DREG, "dreg"},
    {"immediate", NFTA_IMMEDIATE_DATA, "data", NftAttributeKind::kData},
    {"cmp", NFTA_CMP_SREG, "sreg"},
    {"cmp", NFTA_CMP_OP, "op"},
    {"cmp", NFTA_CMP_DATA, "data", NftAttributeKind::kData},
    {"range", NFTA_RANGE_SREG, "sreg"},
    {"range", NFTA_RANGE_OP, "op"},
    {"range", NFTA_RANGE_FROM_DATA, "from", NftAttributeKind::kData},
    {"range", NFTA_RANGE_TO_DATA, "to", NftAttributeKind::kData},
    {"bitwise", NFTA_BITWISE_SREG, "sreg"},
    {"bitwise", NFTA_BITWISE_DREG, "dreg"},
    {"bitwise", NFTA_BITWISE_LEN, "len"},
    {"bitwise", NFTA_BITWISE_MASK, "mask", NftAttributeKind::kData},
    {"bitwise", NFTA_BITWISE_XOR, "xor", NftAttributeKind::kData},
    {"bitwise", NFTA_BITWISE_OP, "op"},
    {"bitwise", NFTA_BITWISE_DATA, "data", NftAttributeKind::kData},
    {"byteorder", NFTA_BYTEORDER_SREG, "sreg"},
    {"byteorder", NFTA_BYTEORDER_DREG, "dreg"},
    {"byteorder", NFTA_BYTEORDER_OP, "op"},
    {"byteorder", NFTA_BYTEORDER_LEN, "len"},
    {"byteorder", NFTA_BYTEORDER_SIZE, "size"},
    {"lookup", NFTA_LOOKUP_SET, "set", NftAttributeKind::kText},
    {"lookup", NFTA_LOOKUP_SREG, "sreg"},
    {"lookup", NFTA_LOOKUP_DREG, "dreg"},
    {"lookup", NFTA_LOOKUP_FLAGS, "flags"},
    {"dynset", NFTA_DYNSET_SET_NAME, "set", NftAttributeKind::kText},
    {"dynset", NFTA_DYNSET_OP, "op"},
    {"dynset", NFTA_DYNSET_SREG_KEY, "sreg"},
    {"payload", NFTA_PAYLOAD_DREG, "dreg"},
    {"payload", NFTA_PAYLOAD_BASE, "base"},
    {"payload", NFTA_PAYLOAD_OFFSET, "offset"},
    {"payload", NFTA_PAYLOAD_LEN, "len"},
    {"payload", NFTA_PAYLOAD_SREG, "sreg"},
    {"payload", NFTA_PAYLOAD_CSUM_TYPE, "csum-type"},
    {"payload", NFTA_PAYLOAD_CSUM_OFFSET, "csum-offset"},
    {"payload", NFTA_PAYLOAD_CSUM_FLAGS, "csum-flags"},
    {"meta", NFTA_META_DREG, "dreg"},
    {"meta", NFTA_META_KEY, "key"},
    {"meta", NFTA_META_SREG, "sreg"},
    {"ct", NFTA_CT_DREG, "dreg"},
    {"ct", NFTA_CT_KEY, "key"},
    {"ct", NFTA_CT_DIRECTION, "direction", NftAttributeKind::kBytes},
    {"ct", NFTA_CT_SREG, "sreg"},
    {"fib", NFTA_FIB_DREG, "dreg"},
    {"fib", NFTA_FIB_RESULT, "result"},
    {"fib", NFTA_FIB_FLAGS, "flags"},
    {"nat", NFTA_NAT_TYPE, "type"},
    {"nat", NFTA_NAT_FAMILY, "family"},
    {"nat", NFTA_NAT_REG_ADDR_MIN, "address-min"},
    {"nat", NFTA_NAT_REG_ADDR_MAX, "address-max"},
    {"nat", NFTA_NAT_REG_PROTO_MIN, "port-min"},
    {"nat", NFTA_NAT_REG_PROTO_MAX, "port-max"},
    {"nat", NFTA_NAT_FLAGS, "flags"},
    {"redir", NFTA_REDIR_REG_PROTO_MIN, "port-min"},
    {"redir", NFTA_REDIR_REG_PROTO_MAX, "port-max"},
    {"redir", NFTA_REDIR_FLAGS, "flags"},
    {"masq", NFTA_MASQ_FLAGS, "flags"},
    {"masq", NFTA_MASQ_REG_PROTO_MIN, "port-min"},
    {"masq", NFTA_MASQ_REG_PROTO_MAX, "port-max"},
    {"match", NFTA_MATCH_NAME, "name", NftAttributeKind::kText},
    {"match", NFTA_MATCH_REV, "rev"},
    {"match", NFTA_MATCH_INFO, "info", NftAttributeKind::kBytes},
    {"target", NFTA_TARGET_NAME, "name", NftAttributeKind::kText},
    {"target", NFTA_TARGET_REV, "rev"},
    {"target", NFTA_TARGET_INFO, "info", NftAttributeKind::kBytes},
    {"reject", NFTA_REJECT_TYPE, "type"},
    {"reject", NFTA_REJECT_ICMP_CODE, "code", NftAttributeKind::kBytes},
    {"limit", NFTA_LIMIT_RATE, "rate", NftAttributeKind::kLongNumber},
    {"limit", NFTA_LIMIT_UNIT, "unit", NftAttributeKind::kLongNumber},
    {"limit", NFTA_LIMIT_BURST, "burst"},
    {"limit", NFTA_LIMIT_TYPE, "type"},
    {"limit", NFTA_LIMIT_FLAGS, "flags"},
    {"counter", NFTA_COUNTER_BYTES, "bytes", NftAttributeKind::kLongNumber},
    {"counter", NFTA_COUNTER_PACKETS, "packets", NftAttributeKind::kLongNumber},
    {"log", NFTA_LOG_PREFIX, "prefix", NftAttributeKind::kText},
    {"objref", NFTA_OBJREF_IMM_NAME, "object", NftAttributeKind::kText},
}};

}  // namespace gpuharden
