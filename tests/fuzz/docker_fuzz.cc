// SPDX-License-Identifier: GPL-2.0-or-later
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checks/containers/docker_container.h"
#include "checks/containers/docker_options.h"

// One text for all readers: each takes what it knows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto container = gpuharden::parse_docker_container(text, text))
    static_cast<void>(gpuharden::parse_image_name(container->image));
  static_cast<void>(gpuharden::parse_image_name(text));
  if (const auto options = gpuharden::parse_daemon_json(text)) {
    std::vector<std::string> arguments;
    for (const auto& option : *options) arguments.push_back(option.value);
    static_cast<void>(gpuharden::parse_dockerd_arguments(arguments));
  }
  return 0;
}
