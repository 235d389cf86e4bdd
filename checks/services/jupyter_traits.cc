// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/jupyter_traits.h"

#include <utility>
#include <vector>

#include "checks/process/ai_services.h"
#include "checks/services/options.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

std::string unquoted(std::string_view value) {
  if (value.size() >= 2 && value.front() == value.back() && (value.front() == '\'' || value.front() == '"'))
    value = value.substr(1, value.size() - 2);
  return std::string(value);
}

}  // namespace

JupyterTraits::JupyterTraits(const ServiceCall& call, const Files& files)
    : call_(call), files_(files), arguments_(program_arguments(call.arguments)) {
  if (call.environment != nullptr) doubt_ = call.environment->error;
}

void JupyterTraits::read_file(const std::string& path) {
  const auto file = files_.read(path);
  if (!file) {
    if (file.error().code != ErrorCode::kNotFound) doubt_ = file.error();
    return;
  }
  if (file->truncated) doubt_ = Error{ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})};
  if (!path.ends_with(".json")) return add(parse_jupyter_python(file->bytes), path);
  auto config = parse_jupyter_json(file->bytes);
  if (config) {
    add(*config, path);
  } else {
    doubt_ = Error{config.error().code, concat({path, ": ", config.error().message})};
  }
}

void JupyterTraits::add(const JupyterConfig& config, const std::string& path) {
  if (config.is_opaque)
    doubt_ = Error{ErrorCode::kUnsupported, concat({path, ": only running it would tell what it sets"})};
  for (const auto& [name, trait] : config.traits) {
    Found found{SettingSource::kConfig, name, path, trait.line, {}};
    if (trait.is_unread)
      found.error = Error{ErrorCode::kUnsupported, concat({path, ": the value of ", name, " is computed"})};
    traits_[name] = {trait.value, found};
  }
}

std::optional<KnownTrait> JupyterTraits::find(std::span<const std::string_view> groups, std::string_view name,
                                              std::string_view alias) const {
  std::vector<std::string> options;
  for (const auto group : groups) options.push_back(concat({"--", group, ".", name}));
  std::vector<std::string_view> names(options.begin(), options.end());
  if (!alias.empty()) names.push_back(alias);
  if (const auto option = find_option(arguments_, {names}))
    return KnownTrait{unquoted(option->value), {SettingSource::kOption, std::string(option->name), {}, 0, {}}};
  std::optional<KnownTrait> known;
  for (const auto group : groups) {
    const auto found = traits_.find(concat({group, ".", name}));
    if (found == traits_.end()) continue;
    if (known && known->found.error) break;
    const bool differs = known && known->value != found->second.value;
    known = found->second;
    if (differs)
      known->found.error = Error{ErrorCode::kUnsupported, concat({name, " is set in two ways, which differ"})};
  }
  return known;
}

std::string JupyterTraits::variable(std::string_view name) const {
  const auto* found = call_.environment == nullptr ? nullptr : call_.environment->find(name);
  return found == nullptr ? std::string() : found->value;
}

std::optional<std::uint32_t> jupyter_port(std::string_view text, std::uint32_t fallback) {
  if (text.empty()) return fallback;
  const auto number = parse_unsigned(text);
  return number && *number <= 65535 ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

}  // namespace gpuharden
