// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/network/nft_loader.h"

#ifdef GPUHARDEN_HAS_NFTABLES
#include <nftables/libnftables.h>

#include "engine/base/handle.h"
#endif

namespace gpuharden::test {

#ifdef GPUHARDEN_HAS_NFTABLES

bool can_load_rules() { return true; }

std::string load_rules(const std::string& text) {
  const Handle<nft_ctx, &nft_ctx_free> context(nft_ctx_new(NFT_CTX_DEFAULT));
  nft_ctx_buffer_error(context.get());
  nft_ctx_buffer_output(context.get());
  if (nft_run_cmd_from_buffer(context.get(), ("flush ruleset\n" + text).c_str()) == 0) return "";
  return std::string("nft: ") + nft_ctx_get_error_buffer(context.get());
}

#else

bool can_load_rules() { return false; }
std::string load_rules(const std::string&) { return "built without libnftables"; }

#endif

}  // namespace gpuharden::test
