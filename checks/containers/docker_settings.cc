// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/containers/docker_settings.h"

#include <algorithm>

#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kConfig = "/etc/docker/daemon.json";
constexpr std::string_view kDataRoot = "/var/lib/docker";

class SettingsReader {
 public:
  SettingsReader(const Host& host, SharedFacts& shared) : host_(host), shared_(shared) {}

  DockerSettings read() && {
    const auto& units = unit_set(host_, shared_);
    for (const auto& gap : units.gaps) {
      if (gap.unit == "*" || gap.unit.find("docker") != std::string::npos) facts_.errors.push_back(gap.error);
    }
    bool has_other_config = false;
    for (const auto& unit : units.units) {
      if (unit.alias_of.empty() && !unit.is_masked) take_unit(unit, has_other_config);
    }
    if (!has_other_config) take_file(std::string(kConfig));
    find_data_roots();
    return std::move(facts_);
  }

 private:
  void take_unit(const Unit& unit, bool& has_other_config) {
    for (const auto* setting : settings_of(unit, "Service", "ExecStart")) {
      auto words = parse_unit_command(setting->value).words;
      const auto dockerd = std::find_if(words.begin(), words.end(), [](const std::string& word) {
        return word == "dockerd" || word.ends_with("/dockerd");
      });
      if (dockerd == words.end()) continue;
      words.erase(words.begin(), dockerd + 1);
      for (auto& option : parse_dockerd_arguments(expand(unit, words))) {
        if (option.name == "config-file") {
          has_other_config = true;
          take_file(option.value);
        }
        facts_.settings.push_back({std::move(option), unit.name, setting->source->path, setting->line});
      }
    }
  }

  // A word "$OPTIONS" becomes the words of the variable, "${OPTIONS}" one word, as systemd does it.
  std::vector<std::string> expand(const Unit& unit, const std::vector<std::string>& words) {
    std::vector<std::string> out;
    const auto environment = unit_environments(host_, shared_).of(unit.name);
    for (const auto& word : words) {
      if (word.find('$') == std::string::npos) {
        out.push_back(word);
        continue;
      }
      for (const auto& gap : environment.gaps) facts_.errors.push_back(gap.error);
      const bool is_braced = word.starts_with("${") && word.ends_with('}');
      const auto name = is_braced ? word.substr(2, word.size() - 3) : word.substr(1);
      if (word[0] != '$' || name.find_first_of("${}:/") != std::string::npos) {
        facts_.errors.push_back(
            {ErrorCode::kUnsupported, concat({unit.name, ": ", word, " on dockerd's command line was not expanded"})});
        continue;
      }
      const auto* variable = environment.find(name);
      if (variable == nullptr) continue;
      if (is_braced) out.push_back(variable->value);
      if (is_braced) continue;
      for (auto& part : split_unit_words(variable->value)) out.push_back(std::move(part));
    }
    return out;
  }

  void take_file(const std::string& path) {
    const auto file = host_.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return facts_.errors.push_back(file.error());
    auto options = parse_daemon_json(file->bytes);
    if (!options || file->truncated)
      return facts_.errors.push_back({ErrorCode::kMalformed, concat({path, ": no JSON object"})});
    for (auto& option : *options) facts_.settings.push_back({std::move(option), "", path, 0});
  }

  void find_data_roots() {
    for (const auto& setting : facts_.settings) {
      if (setting.option.name == "data-root" && setting.option.value.starts_with('/'))
        facts_.data_roots.push_back(setting.option.value);
    }
    if (facts_.data_roots.empty()) facts_.data_roots.emplace_back(kDataRoot);
  }

  const Host& host_;
  SharedFacts& shared_;
  DockerSettings facts_;
};

}  // namespace

const DockerSettings& docker_settings_of(SharedFacts& shared, const Host& host) {
  return shared.get<DockerSettings>(host, [&](const Host& h) { return SettingsReader(h, shared).read(); });
}

}  // namespace gpuharden
