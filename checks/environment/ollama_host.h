// SPDX-License-Identifier: GPL-2.0-or-later
// OLLAMA_HOST, read exactly as ollama reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuharden {

enum class Exposure : std::uint8_t {
  kLoopback,    // only this machine
  kAll,         // every address of this machine
  kSpecific,    // one address that is not loopback
  kUnresolved,  // a name: only a resolver knows
};
std::string_view to_string(Exposure exposure);

struct OllamaAddress {
  std::string host;  // "" means every address
  std::uint16_t port = 0;
  Exposure exposure = Exposure::kLoopback;
  bool operator==(const OllamaAddress&) const = default;
};

// Where ollama listens with this value of OLLAMA_HOST; "" is 127.0.0.1:11434. An invalid port falls
// back to the default one while the host stays, so ":-1" is every address.
OllamaAddress parse_ollama_host(std::string_view value);

// What listening on `host` means: "" and the unspecified addresses are all, "localhost" is loopback.
Exposure exposure_of(std::string_view host);

}  // namespace gpuharden
