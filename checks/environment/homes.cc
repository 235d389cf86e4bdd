// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/environment/homes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_set>

#include "engine/base/text.h"
#include "engine/host/nsswitch.h"

namespace gpuharden {
namespace {

constexpr std::size_t kPasswdCap = std::size_t{64} << 20U;
constexpr std::size_t kManyHomes = 100;  // from here on one listing is cheaper than a look at each
constexpr std::size_t kMaxNames = 1000;  // kept of each home
constexpr std::uint32_t kDefaultUidMin = 1000;

// Folders of the system that distributions write into passwd for accounts without a home.
constexpr std::array<std::string_view, 14> kSystemFolders = {
    "/",     "/nonexistent", "/bin", "/sbin",      "/usr/bin", "/usr/sbin",  "/dev",
    "/proc", "/sys",         "/run", "/var/empty", "/var/run", "/var/cache", "/usr/games"};
bool is_within_any(std::string_view path, std::initializer_list<std::string_view> folders) {
  return std::any_of(folders.begin(), folders.end(), [&](std::string_view folder) {
    return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
  });
}

std::uint32_t read_uid_min(const Files& files) {
  const auto file = files.read("/etc/login.defs");
  if (!file) return kDefaultUidMin;
  for (const auto line : split(file->bytes, '\n')) {
    const auto words = split_words(line);
    if (words.size() < 2 || words[0] != "UID_MIN") continue;
    const auto value = parse_unsigned(words[1]);
    if (value && *value <= UINT32_MAX) return static_cast<std::uint32_t>(*value);
  }
  return kDefaultUidMin;
}

// The first service of the passwd line that knows users who are not in the file.
std::optional<std::string> directory_service(const Files& files, std::vector<Error>& errors) {
  const auto file = files.read("/etc/nsswitch.conf");
  if (!file && file.error().code != ErrorCode::kNotFound) errors.push_back(file.error());
  if (!file) return std::nullopt;
  const auto sources = parse_nsswitch(file->bytes, "passwd");
  const auto found = std::find_if(sources.begin(), sources.end(), is_directory_source);
  return found == sources.end() ? std::nullopt : std::optional(*found);
}

// Looks which of the homes in one folder exist.
class ExistingHomes {
 public:
  ExistingHomes(const Files& files, Homes& out) : files_(files), out_(out) {}

  void add(const std::string& parent, std::vector<Home> homes) {
    if (homes.size() > kManyHomes) return add_listed(parent, std::move(homes));
    for (auto& home : homes) add_one(std::move(home));
  }

 private:
  void add_one(Home home) {
    const auto stat = files_.stat(home.path);
    if (!stat) {
      const auto code = stat.error().code;
      if (code != ErrorCode::kNotFound && code != ErrorCode::kNotRegular) out_.errors.push_back(stat.error());
      return;
    }
    if (stat->type != FileType::kDirectory) return;
    home.names = names_in(home.path);
    out_.homes.push_back(std::move(home));
  }

  std::optional<std::vector<std::string>> names_in(const std::string& folder) const {
    auto entries = files_.list(folder);
    if (!entries || entries->size() > kMaxNames) return std::nullopt;
    std::vector<std::string> names;
    names.reserve(entries->size());
    for (auto& entry : *entries) names.push_back(std::move(entry.name));
    return names;
  }

  void add_listed(const std::string& parent, std::vector<Home> homes) {
    const auto entries = files_.list(parent);
    if (!entries) {
      if (entries.error().code != ErrorCode::kNotFound) out_.errors.push_back(entries.error());
      return;
    }
    std::unordered_set<std::string_view> names;
    for (const auto& entry : *entries) names.insert(entry.name);
    for (auto& home : homes) {
      if (names.contains(std::string_view(home.path).substr(parent == "/" ? 1 : parent.size() + 1)))
        add_one(std::move(home));
    }
  }

  const Files& files_;
  Homes& out_;
};

std::string without_last_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

bool has_own_home(const PasswdEntry& entry, std::uint32_t uid_min) {
  const auto home = without_last_slashes(entry.home);
  if (home.empty() || home[0] != '/') return false;
  if (entry.uid == 0) return true;
  const bool is_system_folder = std::find(kSystemFolders.begin(), kSystemFolders.end(), home) != kSystemFolders.end() ||
                                is_within_any(home, {"/proc", "/sys", "/dev"});
  if (is_system_folder) return false;
  // A service user's home counts whatever its shell: tools that run as that user read what is there.
  return entry.uid >= uid_min || !is_within_any(home, {"/run", "/var/run", "/var/cache", "/var/spool"});
}

const Homes& homes_of(const Host& host, SharedFacts& shared) {
  return shared.get<Homes>(host, [](const Host& same) { return find_homes(same.files()); });
}

bool may_hold(const Home& home, std::string_view relative_path) {
  const auto first = relative_path.substr(0, relative_path.find('/'));
  return !home.names || std::binary_search(home.names->begin(), home.names->end(), first);
}

Homes find_homes(const Files& files) {
  Homes out;
  const auto passwd = files.read("/etc/passwd", kPasswdCap);
  if (!passwd) {
    out.errors.push_back(passwd.error());
    return out;
  }
  if (passwd->truncated) out.errors.push_back({ErrorCode::kTooLarge, "/etc/passwd: too large, its end was not read"});
  if (const auto service = directory_service(files, out.errors)) {
    out.errors.push_back({ErrorCode::kUnsupported, concat({"/etc/nsswitch.conf: users known only to \"", *service,
                                                           "\" are not listed, their homes were not read"})});
  }
  std::vector<std::uint32_t> bad_lines;
  std::unordered_set<std::string> seen;
  std::map<std::string, std::vector<Home>> by_parent;
  const auto uid_min = read_uid_min(files);
  for (auto& entry : parse_passwd(passwd->bytes, bad_lines)) {
    auto path = without_last_slashes(entry.home);
    if (!has_own_home(entry, uid_min) || !seen.insert(path).second) continue;
    const auto slash = path.rfind('/');
    by_parent[slash == 0 ? "/" : path.substr(0, slash)].push_back(
        {std::move(entry.name), entry.uid, std::move(path), {}});
  }
  ExistingHomes existing(files, out);
  for (auto& [parent, homes] : by_parent) existing.add(parent, std::move(homes));
  return out;
}

}  // namespace gpuharden
