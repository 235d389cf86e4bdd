// SPDX-License-Identifier: GPL-2.0-or-later
// Servers of AI workloads, and how their processes are recognised.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct AiService {
  std::string_view name;
  // inference, notebook, cluster, application, tracking, vector-store, monitoring; control for
  // container engines and node agents, which are no AI services but stand beside them.
  std::string_view kind;
  std::span<const std::string_view> programs;  // executables, scripts or Python modules
  std::string_view title_prefix;               // of process titles: "VLLM::"; "" for none
  std::span<const std::uint16_t> ports;        // its usual ports
  bool ports_are_telling = false;              // nothing else usually listens there
  std::string_view account;                    // its usual user; "" for none
};

struct ProcessIdentity {
  std::string name;        // /proc/PID/comm
  std::string executable;  // /proc/PID/exe, may be empty
  std::vector<std::string> arguments;
};

// The service that a process belongs to by its executable, title, script or module; nullptr when
// none. Whole names are compared: "ollama-exporter" is no ollama.
const AiService* find_service(const ProcessIdentity& process);
// What follows the program: the executable, or the script or module that an interpreter runs.
std::span<const std::string> program_arguments(const std::vector<std::string>& arguments);
// By port alone, for sockets whose process is not known: only ports that tell.
const AiService* find_service_by_port(std::uint16_t port);
// By the name of the user who owns a socket.
const AiService* find_service_by_account(std::string_view account);

// Whether this is the port that the service is told to serve on (--port, -p, :PORT in --host or
// --listen …) or, without such an argument, one of its usual ports.
bool is_main_port(const AiService& service, const std::vector<std::string>& arguments, std::uint16_t port);

}  // namespace gpuharden
