// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/nvidia_capabilities.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kTop = "/proc/driver/nvidia/capabilities";
constexpr std::size_t kMaxFiles = 20000;
constexpr int kMaxDepth = 8;

std::optional<std::uint32_t> number_of(std::string_view text, std::string_view key) {
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || trim(line.substr(0, colon)) != key) continue;
    const auto number = parse_unsigned(trim(line.substr(colon + 1)));
    if (number && *number <= UINT32_MAX) return static_cast<std::uint32_t>(*number);
  }
  return std::nullopt;
}

void read_capability(const Files& files, const std::string& path, NvidiaCapabilities& all) {
  const auto file = files.read(path, 4096);
  if (!file) {
    if (file.error().code != ErrorCode::kNotFound) all.errors.push_back(file.error());
    return;
  }
  auto capability = parse_nvidia_capability(file->bytes);
  if (!capability) return;
  capability->name = path.substr(kTop.size() + 1);
  all.by_minor.emplace(capability->minor, *capability);
}

void read_folder(const Files& files, const std::string& folder, int depth, std::size_t& budget,
                 NvidiaCapabilities& all) {
  const auto entries = files.list(folder);
  if (!entries) {
    if (entries.error().code != ErrorCode::kNotFound) all.errors.push_back(entries.error());
    return;
  }
  for (const auto& entry : *entries) {
    if (budget == 0 || depth >= kMaxDepth) {
      all.errors.push_back({ErrorCode::kTooLarge, concat({folder, ": too many capabilities"})});
      return;
    }
    --budget;
    const std::string path = concat({folder, "/", entry.name});
    if (entry.type == FileType::kDirectory) {
      read_folder(files, path, depth + 1, budget, all);
    } else {
      read_capability(files, path, all);
    }
  }
}

}  // namespace

std::optional<NvidiaCapability> parse_nvidia_capability(std::string_view text) {
  const auto minor = number_of(text, "DeviceFileMinor");
  const auto mode = number_of(text, "DeviceFileMode");
  if (!minor || !mode) return std::nullopt;
  return NvidiaCapability{"", *minor, *mode & 07777U};
}

NvidiaCapabilities read_nvidia_capabilities(const Host& host) {
  NvidiaCapabilities all;
  std::size_t budget = kMaxFiles;
  if (host.kind() == HostKind::kImage && !host.files().stat(kTop)) {
    all.errors.push_back({ErrorCode::kNotHeld, concat({kTop, ": not held in an image"})});
    return all;
  }
  read_folder(host.files(), std::string(kTop), 0, budget, all);
  return all;
}

}  // namespace gpuharden
