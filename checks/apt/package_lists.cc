// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/package_lists.h"

#include <algorithm>

#include "checks/apt/source_vendor.h"
#include "checks/apt/sources.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFolder = "/var/lib/apt/lists";
// The fields come before the long lists of digests.
constexpr std::size_t kReleaseHead = 16384;

std::optional<std::string> field(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':') return std::nullopt;
  if (!equals_ignore_case(line.substr(0, name.size()), name)) return std::nullopt;
  return std::string(trim(line.substr(name.size() + 1)));
}

ReleaseFacts parse_release_head(std::string_view text) {
  ReleaseFacts facts;
  for (const auto line : split(text, '\n')) {
    if (auto origin = field(line, "Origin")) facts.origin = origin;
    if (auto label = field(line, "Label")) facts.label = label;
    if (line.substr(0, 7) == "SHA256:") break;
  }
  return facts;
}

}  // namespace

const std::vector<std::string>& PackageLists::names() {
  if (names_) return *names_;
  names_.emplace();
  auto entries = files_.list(kFolder);
  if (!entries) {
    if (entries.error().code != ErrorCode::kNotFound) error_ = entries.error();
    return *names_;
  }
  for (auto& entry : *entries) names_->push_back(std::move(entry.name));
  std::sort(names_->begin(), names_->end());
  return *names_;
}

Result<ReleaseFacts> PackageLists::release(const std::string& list_name) {
  const auto found = releases_.find(list_name);
  if (found != releases_.end()) return found->second;
  return releases_.emplace(list_name, read_release(list_name)).first->second;
}

Result<ReleaseFacts> PackageLists::read_release(const std::string& list_name) {
  const auto& all = names();
  if (error_) return *error_;
  for (const auto* suffix : {"InRelease", "Release"}) {
    const std::string name = list_name + suffix;
    if (!std::binary_search(all.begin(), all.end(), name)) continue;
    GH_ASSIGN_OR_RETURN(const FileBytes file, files_.read(concat({kFolder, "/", name}), kReleaseHead));
    return parse_release_head(file.bytes);
  }
  return ReleaseFacts{};
}

std::vector<std::string> PackageLists::package_lists(const std::string& list_name) {
  std::vector<std::string> paths;
  const auto& all = names();
  for (auto at = std::lower_bound(all.begin(), all.end(), list_name); at != all.end(); ++at) {
    if (at->compare(0, list_name.size(), list_name) != 0) break;
    const auto rest = std::string_view(*at).substr(list_name.size());
    const auto word = rest.find("Packages");
    // The files of a flat repository are named alone: "Packages"; else "main_binary-amd64_Packages".
    const bool own = word == 0 || (word != std::string_view::npos && rest.find("_binary-") != std::string_view::npos &&
                                   rest.find("_dists_") == std::string_view::npos);
    if (own) paths.push_back(concat({kFolder, "/", *at}));
  }
  return paths;
}

std::size_t count_gpu_packages(std::string_view text) {
  constexpr std::string_view kField = "Package: ";
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    const auto line = text.substr(at, end - at);
    if (line.substr(0, kField.size()) == kField && is_gpu_package(trim(line.substr(kField.size())))) ++count;
    at = end + 1;
  }
  return count;
}

}  // namespace gpuharden
