// SPDX-License-Identifier: GPL-2.0-or-later
// What the URI and suite of a source say: where it leads, by which transport, and which files in
// /var/lib/apt/lists are its own.
#pragma once

#include <string>
#include <string_view>

namespace gpuharden {

struct Repository {
  std::string uri;     // as written, without user and password
  std::string scheme;  // lower case, of the network: tor+http is http, mirror+https is https
  std::string host;    // lower case, without port; empty for local ones
  std::string path;    // begins with '/' where the URI has one
  bool has_credentials = false;
  bool is_plain = false;  // fetched over a network without TLS
  bool is_local = false;  // a folder of this machine: file: or copy:
  // Entries with the same key are one repository to apt, whatever their transport. It is also
  // where the names of its files begin in /var/lib/apt/lists, before apt's quoting.
  std::string key;
  std::string list_name;  // `key` as apt quotes it: developer.example_compute_cuda_
};

// Never fails: what is no URI has empty parts.
Repository parse_repository(std::string_view uri, std::string_view suite);

}  // namespace gpuharden
