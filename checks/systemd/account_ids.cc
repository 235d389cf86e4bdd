// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/systemd/account_ids.h"

#include "checks/accounts/passwd.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kPasswdCap = std::size_t{64} << 20U;

AccountIds read_ids(const Host& host) {
  AccountIds out;
  const auto file = host.files().read("/etc/passwd", kPasswdCap);
  std::vector<std::uint32_t> bad_lines;
  if (!file) return out;
  for (auto& entry : parse_passwd(file->bytes, bad_lines)) out.by_name.emplace(std::move(entry.name), entry.uid);
  return out;
}

}  // namespace

std::optional<std::uint32_t> AccountIds::find(std::string_view user) const {
  if (const auto number = parse_unsigned(user); number && *number <= UINT32_MAX)
    return static_cast<std::uint32_t>(*number);
  const auto found = by_name.find(std::string(user));
  return found == by_name.end() ? std::nullopt : std::optional(found->second);
}

const AccountIds& account_ids(const Host& host, SharedFacts& shared) { return shared.get<AccountIds>(host, read_ids); }

}  // namespace gpuharden
