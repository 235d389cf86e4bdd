// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/docker_options.h"

#include <array>
#include <utility>

#include "checks/system/json_fields.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Flags that daemon.json knows by another name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOtherNames = {
    {{"H", "hosts"},
     {"host", "hosts"},
     {"g", "data-root"},
     {"graph", "data-root"},
     {"D", "debug"},
     {"l", "log-level"},
     {"s", "storage-driver"},
     {"insecure-registry", "insecure-registries"},
     {"registry-mirror", "registry-mirrors"},
     {"authorization-plugin", "authorization-plugins"},
     {"default-ulimit", "default-ulimits"},
     {"add-runtime", "runtimes"}}};
constexpr std::string_view kLettersWithValue = "Hgls";

std::string option_name(std::string_view flag) {
  for (const auto& [other, name] : kOtherNames) {
    if (flag == other) return std::string(name);
  }
  return std::string(flag);
}

void add(const std::string& name, const Json& value, std::vector<DockerOption>& out) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) add(name.empty() ? key : concat({name, ".", key}), inner, out);
  } else if (value.is_array()) {
    for (const auto& element : value) add(name, element, out);
  } else {
    out.push_back({option_name(name), value.is_string() ? value.get<std::string>()
                                                        : value.dump(-1, ' ', false, Json::error_handler_t::replace)});
  }
}

// "--add-runtime nvidia=/usr/bin/nvidia-container-runtime".
DockerOption option_of(std::string_view flag, std::string value) {
  auto name = option_name(flag);
  const auto equals = value.find('=');
  if (name == "runtimes" && equals != std::string::npos)
    return {concat({"runtimes.", std::string_view(value).substr(0, equals), ".path"}), value.substr(equals + 1)};
  return {std::move(name), std::move(value)};
}

}  // namespace

std::optional<std::vector<DockerOption>> parse_daemon_json(std::string_view text) {
  const auto document = parse_json(text);
  if (!document || !document->is_object()) return std::nullopt;
  std::vector<DockerOption> options;
  add("", *document, options);
  return options;
}

std::vector<DockerOption> parse_dockerd_arguments(const std::vector<std::string>& arguments) {
  std::vector<DockerOption> options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word(arguments[i]);
    if (!word.starts_with('-') || word.size() < 2) continue;
    const bool is_long = word.starts_with("--");
    auto flag = is_long ? word.substr(2) : word.substr(1, 1);
    const bool has_next = i + 1 < arguments.size() && !arguments[i + 1].starts_with('-');
    std::string value = "true";
    if (const auto equals = flag.find('='); is_long && equals != std::string_view::npos) {
      value = flag.substr(equals + 1);
      flag = flag.substr(0, equals);
    } else if (!is_long && kLettersWithValue.find(flag) != std::string_view::npos && word.size() > 2) {
      value = word.substr(word[2] == '=' ? 3 : 2);
    } else if (has_next) {
      value = arguments[++i];
    }
    options.push_back(option_of(flag, std::move(value)));
  }
  return options;
}

}  // namespace gpuharden
