// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/apt_settings.h"

#include <utility>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Settings that say where sources and keyrings are, and the values that mean the usual places.
struct Place {
  std::string_view name;
  std::string_view relative;
  std::string_view absolute;
};
constexpr Place kPlaces[] = {{"rootdir", "", "/"},
                             {"dir", "", "/"},
                             {"dir::etc", "etc/apt", "/etc/apt"},
                             {"dir::etc::sourcelist", "sources.list", "/etc/apt/sources.list"},
                             {"dir::etc::sourceparts", "sources.list.d", "/etc/apt/sources.list.d"},
                             {"dir::etc::trusted", "trusted.gpg", "/etc/apt/trusted.gpg"},
                             {"dir::etc::trustedparts", "trusted.gpg.d", "/etc/apt/trusted.gpg.d"}};

constexpr std::string_view kMainFile = "/etc/apt/apt.conf";
constexpr std::string_view kFolder = "/etc/apt/apt.conf.d";
constexpr int kDeepestInclude = 10;
constexpr std::size_t kMostFiles = 1000;

class SettingsReader {
 public:
  explicit SettingsReader(const Files& files) : files_(files) {}

  void take_folder(std::string_view folder, int depth) {
    const auto entries = files_.list(folder);
    if (!entries && entries.error().code == ErrorCode::kNotFound) return;
    if (!entries) return facts_.errors.push_back(entries.error());
    for (const auto& entry : *entries) {
      if (is_apt_conf_name(entry.name)) take_file(concat({folder, "/", entry.name}), depth);
    }
  }

  void take_file(const std::string& path, int depth) {
    if (++files_read_ > kMostFiles || depth > kDeepestInclude) {
      return facts_.errors.push_back(
          {ErrorCode::kTooLarge, concat({path, ": more included files than are looked at"})});
    }
    const auto file = files_.read(path);
    if (!file) return take_unreadable(path, file.error());
    if (file->truncated)
      facts_.errors.push_back({ErrorCode::kTooLarge, concat({path, ": too large, its end was not read"})});
    const auto conf = parse_apt_conf(file->bytes);
    for (const auto& statement : conf.statements) {
      facts_.settings.apply(statement, path);
      if (statement.kind == AptConfStatement::Kind::kInclude) include(statement.name, depth);
    }
    if (!conf.fault.empty())
      facts_.errors.push_back(
          {ErrorCode::kMalformed, concat({path, ": ", conf.fault, ", where apt stops with an error"})});
  }

  AptSettingsFacts facts() && { return std::move(facts_); }

 private:
  void take_unreadable(const std::string& path, const Error& error) {
    if (error.code == ErrorCode::kNotFound) return;
    const auto stat = files_.stat(path);
    if (!stat || stat->type != FileType::kDirectory) facts_.errors.push_back(error);
  }

  void include(const std::string& name, int depth) {
    if (name.empty() || name[0] != '/') {
      return facts_.errors.push_back(
          {ErrorCode::kNotFound, concat({name, ": included by a relative name, it was not read"})});
    }
    const auto stat = files_.stat(name);
    if (stat && stat->type == FileType::kDirectory) return take_folder(name, depth + 1);
    take_file(name, depth + 1);
  }

  const Files& files_;
  AptSettingsFacts facts_;
  std::size_t files_read_ = 0;
};

AptSettingsFacts collect(const Host& host) {
  SettingsReader reader(host.files());
  reader.take_folder(kFolder, 0);
  reader.take_file(std::string(kMainFile), 0);
  return std::move(reader).facts();
}

}  // namespace

const AptSettingsFacts& apt_settings_of(SharedFacts& shared, const Host& host) {
  return shared.get<AptSettingsFacts>(host, collect);
}

std::vector<std::string> redirections(const AptSettings& settings) {
  std::vector<std::string> sentences;
  for (const auto& place : kPlaces) {
    const auto found = settings.all().find(std::string(place.name));
    if (found == settings.all().end()) continue;
    std::string value = found->second.value;
    while (value.size() > 1 && value.back() == '/') value.pop_back();
    if (value == place.relative || value == place.absolute) continue;
    sentences.push_back(concat({found->second.file, ":", std::to_string(found->second.line), ": ", found->second.name,
                                " sends apt to another place, which is not looked at"}));
  }
  return sentences;
}

}  // namespace gpuharden
