// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/python/unit_places.h"

#include "checks/systemd/unit_file.h"
#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFolder = "/etc/systemd/system";
constexpr std::size_t kUnitCap = 65536;
constexpr std::size_t kMaxFiles = 4000;

class UnitPlaceFinder {
 public:
  explicit UnitPlaceFinder(const Files& files) : files_(files) {}

  UnitPlaces find() {
    for (const auto& entry : list(std::string(kFolder))) {
      const std::string path = concat({kFolder, "/", entry.name});
      if (entry.name.ends_with(".service") && entry.type != FileType::kSymlink) read(path);
      if (!entry.name.ends_with(".service.d")) continue;
      for (const auto& drop_in : list(path)) {
        if (drop_in.name.ends_with(".conf")) read(concat({path, "/", drop_in.name}));
      }
    }
    return std::move(places_);
  }

 private:
  std::vector<DirectoryEntry> list(const std::string& folder) {
    auto entries = files_.list(folder);
    if (entries) return *std::move(entries);
    note(entries.error());
    return {};
  }

  void read(const std::string& path) {
    if (++count_ > kMaxFiles) return;
    auto file = files_.read(path, kUnitCap);
    if (!file) return note(file.error());
    add_unit_places(std::move(file->bytes), places_);
  }

  // Masked units are links to /dev/null; they name nothing.
  void note(const Error& error) {
    if (error.code != ErrorCode::kNotFound && error.code != ErrorCode::kNotRegular) places_.errors.push_back(error);
  }

  const Files& files_;
  std::size_t count_ = 0;
  UnitPlaces places_;
};

void add_environment(std::string_view value, UnitPlaces& places) {
  constexpr std::string_view kVirtualEnv = "VIRTUAL_ENV=";
  for (const auto& word : split_unit_words(value)) {
    const std::string_view text = word;
    if (text.starts_with(kVirtualEnv) && text.size() > kVirtualEnv.size() && text[kVirtualEnv.size()] == '/')
      places.prefixes.emplace_back(text.substr(kVirtualEnv.size()));
  }
}

}  // namespace

std::string prefix_of_program(std::string_view program) {
  const auto slash = program.rfind('/');
  if (!program.starts_with('/') || slash == 0) return {};
  const auto folder = program.substr(0, slash);
  if (!folder.ends_with("/bin")) return {};
  const auto prefix = folder.substr(0, folder.size() - 4);
  return prefix.empty() || prefix == "/usr" || prefix == "/usr/local" ? std::string() : std::string(prefix);
}

void add_unit_places(std::string text, UnitPlaces& places) {
  const auto unit = parse_unit_text(std::move(text));
  for (const auto& assignment : unit->assignments) {
    if (assignment.section != "Service") continue;
    if (assignment.name == "WorkingDirectory") {
      std::string_view folder = assignment.value;
      if (folder.starts_with('-')) folder.remove_prefix(1);
      if (folder.starts_with('/') && folder != "/") places.folders.emplace_back(folder);
    }
    if (assignment.name == "Environment") add_environment(assignment.value, places);
    if (!assignment.name.starts_with("Exec") || assignment.name == "ExecSearchPath") continue;
    // The program, and the one that a launcher is given: /usr/bin/env /srv/x/venv/bin/python.
    for (const auto& word : parse_unit_command(assignment.value).words) {
      auto prefix = prefix_of_program(word);
      if (!prefix.empty()) places.prefixes.push_back(std::move(prefix));
    }
  }
}

UnitPlaces find_unit_places(const Files& files) { return UnitPlaceFinder(files).find(); }

}  // namespace gpuharden
