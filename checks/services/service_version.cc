// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/services/service_version.h"

#include <algorithm>
#include <vector>

#include "checks/process/ai_services.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Evidence = std::optional<ServiceVersion>;

std::string normalised(std::string_view name) {
  auto out = to_lower(name);
  std::replace(out.begin(), out.end(), '-', '_');
  std::replace(out.begin(), out.end(), '.', '_');
  return out;
}

std::string distribution_of(const ServiceCall& call) {
  if (call.service == "jupyter") return "jupyter_server";
  if (call.service == "llama-server") return "llama_cpp_python";
  return normalised(call.service);
}

// The prefixes that the interpreter and the script say, and the one of an activated environment.
std::vector<std::string> prefixes_of(const ServiceCall& call) {
  std::vector<std::string> out;
  const auto last = std::min(call.arguments.size(), call.arguments.size() - program_arguments(call.arguments).size());
  for (std::size_t i = 0; i < last; ++i) {
    const std::string_view word = call.arguments[i];
    const auto bin = word.rfind("/bin/");
    if (word.starts_with("/") && bin != std::string_view::npos && bin > 0) out.emplace_back(word.substr(0, bin));
  }
  const auto* active = call.environment == nullptr ? nullptr : call.environment->find("VIRTUAL_ENV");
  if (active != nullptr && active->value.starts_with("/")) out.push_back(active->value);
  return out;
}

std::vector<std::string> package_folders(const Files& files, const std::string& prefix) {
  std::vector<Error> ignored;  // what cannot be listed is found again below
  std::vector<std::string> out;
  for (const auto* name : {"site-packages", "dist-packages"}) {
    for (auto& folder : expand_glob(files, concat({prefix, "/lib/python3*/", name}), ignored, 100))
      out.push_back(std::move(folder));
  }
  return out;
}

Result<Evidence> in_folder(const Files& files, const std::string& folder, const std::string& distribution) {
  const auto entries = files.list(folder);
  if (!entries) {
    if (entries.error().code == ErrorCode::kNotFound) return Evidence();
    return entries.error();
  }
  Evidence found;
  for (const auto& entry : *entries) {
    const auto parsed = parse_dist_info(entry.name);
    if (!parsed || parsed->first != distribution) continue;
    if (found && found->version != parsed->second)
      return Error{ErrorCode::kMalformed, concat({folder, ": has ", distribution, " in two versions"})};
    found = ServiceVersion{parsed->second, "dist-info", concat({folder, "/", entry.name})};
  }
  return found;
}

Result<Evidence> in_prefixes(const Files& files, const ServiceCall& call) {
  const auto distribution = distribution_of(call);
  for (const auto& prefix : prefixes_of(call)) {
    Evidence found;
    for (const auto& folder : package_folders(files, prefix)) {
      const auto one = in_folder(files, folder, distribution);
      if (!one) return one.error();
      if (!*one) continue;
      if (found && found->version != (*one)->version)
        return Error{ErrorCode::kMalformed, concat({prefix, ": has ", distribution, " in two versions"})};
      found = **one;
    }
    if (found) return found;
  }
  return Evidence();
}

Result<Evidence> of_triton(const Files& files, const ServiceCall& call) {
  const auto* release = call.environment == nullptr ? nullptr : call.environment->find("NVIDIA_TRITON_SERVER_VERSION");
  if (release != nullptr && !release->value.empty()) return Evidence({release->value, "variable", ""});
  const std::string path = "/opt/tritonserver/TRITON_VERSION";
  const auto file = files.read(path, 256);
  if (!file && file.error().code == ErrorCode::kNotFound) return Evidence();
  if (!file) return file.error();
  return Evidence({std::string(trim(file->bytes)), "file", path});
}

}  // namespace

std::optional<std::pair<std::string, std::string>> parse_dist_info(std::string_view folder) {
  constexpr std::string_view kSuffix = ".dist-info";
  if (!folder.ends_with(kSuffix)) return std::nullopt;
  folder.remove_suffix(kSuffix.size());
  const auto dash = folder.rfind('-');
  if (dash == std::string_view::npos || dash == 0 || dash + 1 == folder.size()) return std::nullopt;
  return std::pair(normalised(folder.substr(0, dash)), std::string(folder.substr(dash + 1)));
}

Result<std::optional<ServiceVersion>> service_version(const Files& files, const ServiceCall& call) {
  // A Python package of that name is a client, and says nothing of the server.
  const bool is_native = call.service == "ollama" || call.service == "localai";
  if (call.arguments.empty() || is_native) return Evidence();
  return call.service == "triton" ? of_triton(files, call) : in_prefixes(files, call);
}

}  // namespace gpuharden
