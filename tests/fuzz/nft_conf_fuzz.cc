// SPDX-License-Identifier: GPL-2.0-or-later
// nftables.conf as it lies on a machine.
#include "checks/firewall/nft_conf.h"
#include "tests/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto conf = gpuharden::parse_nft_conf(gpuharden::test::text_of(data, size));
  for (const auto& table : conf.tables) gpuharden::test::require(!table.name.empty() && table.line > 0);
  return 0;
}
