// SPDX-License-Identifier: GPL-2.0-or-later
// A service, its arguments and its variables, separated by NUL.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/services/service_settings.h"
#include "checks/services/service_version.h"
#include "engine/base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  gpuharden::ServiceEnvironment environment;
  gpuharden::ServiceCall call;
  call.environment = &environment;
  for (const auto word : gpuharden::split(text, '\0')) {
    const auto equals = word.find('=');
    static_cast<void>(gpuharden::parse_dist_info(word));
    if (call.service.empty()) {
      call.service = word;
    } else if (equals != std::string_view::npos && !word.starts_with("-")) {
      environment.variables[std::string(word.substr(0, equals))] = {std::string(word.substr(equals + 1)), {}, 0};
    } else {
      call.arguments.emplace_back(word);
    }
  }
  if (gpuharden::is_server(call)) static_cast<void>(gpuharden::service_settings(call, "/root"));
  return 0;
}
