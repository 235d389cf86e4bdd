// SPDX-License-Identifier: GPL-2.0-or-later
// The listening sockets of the host's network namespace, by whichever door is open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/host/host.h"
#include "engine/native/sock_diag.h"

namespace gpuharden {

struct ListeningSocket {
  std::string_view protocol;  // tcp or udp
  InetSocket socket;
  bool v6_only_is_assumed = false;     // from net.ipv6.bindv6only, in an image
  std::optional<Error> v6_only_error;  // it could not be read
};

struct ListeningSockets {
  std::vector<ListeningSocket> sockets;
  std::vector<Error> errors;  // what of them is missing
};

// sock_diag where the kernel has it, else /proc/net, which does not tell V6ONLY. For SharedFacts.
ListeningSockets read_host_sockets(const Host& host);

// Whether this process, which the kernel answers by netlink, is in the network namespace of process 1.
bool is_in_host_namespace(const Files& files);

// Those in the files of one folder: "/proc/4242/net". A file that is not there is kNotFound in errors.
ListeningSockets read_proc_net_folder(const Files& files, std::string_view folder);

}  // namespace gpuharden
