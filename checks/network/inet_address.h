// SPDX-License-Identifier: GPL-2.0-or-later
// What the address of a listening socket means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuharden {

// Of 4 or 16 bytes in network order: "127.0.0.1", "::1", "::ffff:10.0.0.5".
std::string address_text(std::string_view bytes);

// loopback, wildcard, link-local or specific; an IPv4 address inside an IPv6 one counts as what it is.
std::string_view address_exposure(std::string_view bytes);

// Whether a 16-byte address is an IPv4 one in disguise (::ffff:0:0/96).
bool is_mapped_ipv4(std::string_view bytes);

// "tcp 127.0.0.1:11434", "tcp6 [::]:11434", "udp6 [fe80::1%2]:546".
std::string socket_name(std::string_view protocol, std::string_view address, std::uint16_t port,
                        std::uint32_t interface);

}  // namespace gpuharden
