// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/proc_status.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// A process may be in 65,536 groups.
constexpr std::size_t kMaxGroups = 65536;

std::optional<std::uint32_t> id_of(std::string_view word) {
  const auto number = parse_unsigned(word);
  return number && *number <= UINT32_MAX ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

// "Uid: real effective saved file-system".
std::optional<std::uint32_t> effective_id(std::string_view value) {
  const auto words = split_words(value);
  return words.size() >= 2 ? id_of(words[1]) : std::nullopt;
}

std::vector<std::uint32_t> ids_of(std::string_view value) {
  std::vector<std::uint32_t> ids;
  for (const auto word : split_words(value)) {
    const auto id = id_of(word);
    if (id && ids.size() < kMaxGroups) ids.push_back(*id);
  }
  return ids;
}

void take_line(std::string_view key, std::string_view value, ProcessStatus& status) {
  const auto number = parse_unsigned(value);
  if (key == "Uid") status.uid = effective_id(value);
  if (key == "Gid") status.gid = effective_id(value);
  if (key == "Groups") status.groups = ids_of(value);
  if (key == "CapEff" && value.size() == 16 && parse_unsigned(value, 16))
    status.effective_capabilities = std::string(value);
  if (!number) return;
  if (key == "PPid" && *number <= INT32_MAX) status.parent = static_cast<std::int64_t>(*number);
  if (key == "NoNewPrivs") status.no_new_privileges = *number != 0;
  if (key == "Seccomp" && *number <= 2) status.seccomp = static_cast<int>(*number);
  if (key == "Kthread") status.is_kernel_thread = *number != 0;
}

}  // namespace

ProcessStatus parse_proc_status(std::string_view text) {
  ProcessStatus status;
  for (const auto line : split(text, '\n')) {
    const auto colon = line.find(':');
    if (colon != std::string_view::npos) take_line(line.substr(0, colon), trim(line.substr(colon + 1)), status);
  }
  return status;
}

}  // namespace gpuharden
