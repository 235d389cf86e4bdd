// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/accounts/accounts.h"

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// 200,000 users need some 15 MB.
constexpr std::size_t kAccountFileCap = std::size_t{64} << 20U;

using NamesById = std::unordered_map<std::uint32_t, std::string>;

// Reads one file and parses it; what went wrong is told in `errors`.
template <typename Entry>
std::vector<Entry> read_entries(const Files& files, const char* path, std::vector<Error>& errors,
                                std::vector<Entry> (*parse)(std::string_view, std::vector<std::uint32_t>&)) {
  const auto file = files.read(path, kAccountFileCap);
  if (!file) {
    errors.push_back(file.error());
    return {};
  }
  if (file->truncated) errors.push_back({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
  std::vector<std::uint32_t> bad_lines;
  auto entries = parse(file->bytes, bad_lines);
  if (!bad_lines.empty()) {
    errors.push_back(
        {ErrorCode::kMalformed, concat({path, ":", std::to_string(bad_lines.front()), ": no entry, as are ",
                                        std::to_string(bad_lines.size() - 1), " more lines"})});
  }
  return entries;
}

Result<std::optional<std::string>> name_of(const NamesById& names, std::uint32_t id, const std::vector<Error>& errors) {
  const auto found = names.find(id);
  if (found != names.end()) return std::optional(found->second);
  if (!errors.empty()) return errors.front();
  return std::optional<std::string>();
}

}  // namespace

Accounts read_accounts(const Host& host) {
  Accounts accounts;
  accounts.users = read_entries(host.files(), "/etc/passwd", accounts.user_errors, &parse_passwd);
  accounts.groups = read_entries(host.files(), "/etc/group", accounts.group_errors, &parse_group);
  for (const auto& user : accounts.users) accounts.user_names.emplace(user.uid, user.name);
  for (const auto& group : accounts.groups) accounts.group_names.emplace(group.gid, group.name);
  return accounts;
}

Result<std::optional<std::string>> user_name(const Accounts& accounts, std::uint32_t uid) {
  return name_of(accounts.user_names, uid, accounts.user_errors);
}

Result<std::optional<std::string>> group_name(const Accounts& accounts, std::uint32_t gid) {
  return name_of(accounts.group_names, gid, accounts.group_errors);
}

}  // namespace gpuharden
