// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/devices/udev_simulation.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::array<UdevDevice, 9> kDevices = {{
    {"kfd", "/dev/kfd", "kfd", "kfd", "234"},
    {"drm-render", "/dev/dri/renderD128", "renderD128", "drm", "226"},
    {"drm-card", "/dev/dri/card0", "card0", "drm", "226"},
    {"accel", "/dev/accel/accel0", "accel0", "accel", "261"},
    {"nvidia-gpu", "/dev/nvidia0", "nvidia0", "nvidia", "195"},
    {"nvidia-control", "/dev/nvidiactl", "nvidiactl", "nvidia", "195"},
    {"nvidia-modeset", "/dev/nvidia-modeset", "nvidia-modeset", "nvidia", "195"},
    {"nvidia-uvm", "/dev/nvidia-uvm", "nvidia-uvm", "nvidia-uvm", "510"},
    {"nvidia-uvm", "/dev/nvidia-uvm-tools", "nvidia-uvm-tools", "nvidia-uvm", "510"},
}};

// The value of a match is one glob, or several with '|' between.
bool glob_any(std::string_view patterns, std::string_view text) {
  const auto alternatives = split(patterns, '|');
  return std::any_of(alternatives.begin(), alternatives.end(),
                     [&](std::string_view pattern) { return glob_match(pattern, text, true); });
}

// What the device has under that key; nothing where it is not known.
std::optional<std::string_view> fact_of(const UdevToken& token, const UdevDevice& device) {
  if (token.key == "KERNEL") return device.kernel;
  if (token.key == "ACTION") return "add";
  if (token.key == "SUBSYSTEM") return device.subsystem;
  if (token.key == "ENV" && token.attribute == "MAJOR") return device.major;
  if (token.key == "ENV" && token.attribute == "SUBSYSTEM") return device.subsystem;
  if (token.key == "ENV" && token.attribute == "DEVNAME") return device.path;
  return std::nullopt;
}

// IMPORT{program}="…" and its kin are conditions too: a failure ends the rule.
bool is_condition(const UdevToken& token) {
  return token.is_match() || token.key == "IMPORT" || token.key == "PROGRAM";
}

// Whether a rule with conditions that are not known here may be meant for a GPU at all: most ask
// for properties of cameras and readers.
bool is_about_gpus(const UdevRule& rule) {
  constexpr std::array<std::string_view, 5> kWords = {"10de", "1002", "nvidia", "amdgpu", "pci"};
  return std::any_of(rule.tokens.begin(), rule.tokens.end(), [&](const UdevToken& token) {
    if (token.operation != "==") return false;
    const bool names_device = token.key == "KERNEL" || token.key == "SUBSYSTEM" || token.attribute == "DEVNAME";
    const auto value = to_lower(token.value);
    return names_device ||
           std::any_of(kWords.begin(), kWords.end(), [&](auto word) { return value.find(word) != std::string::npos; });
  });
}

// Where labels stand, in order.
class Labels {
 public:
  explicit Labels(std::span<const UdevRule> rules) : end_(rules.size()) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      for (const auto& token : rules[i].tokens) {
        if (token.key == "LABEL") places_[token.value].push_back(i);
      }
    }
  }
  // The first rule from `from` on with that label; the end when there is none.
  std::size_t find(std::size_t from, std::string_view label) const {
    const auto places = places_.find(label);
    if (places == places_.end()) return end_;
    const auto place = std::lower_bound(places->second.begin(), places->second.end(), from);
    return place == places->second.end() ? end_ : *place;
  }

 private:
  std::unordered_map<std::string_view, std::vector<std::size_t>> places_;
  std::size_t end_;
};

}  // namespace

std::span<const UdevDevice> udev_gpu_devices() { return kDevices; }

Certainty matches_device(const UdevRule& rule, const UdevDevice& device) {
  auto certainty = Certainty::kYes;
  for (const auto& token : rule.tokens) {
    if (!is_condition(token)) continue;
    const auto fact = token.is_match() ? fact_of(token, device) : std::nullopt;
    if (!fact) {
      certainty = Certainty::kMaybe;
    } else if (glob_any(token.value, *fact) != (token.operation == "==")) {
      return Certainty::kNo;
    }
  }
  return certainty;
}

std::vector<UdevEffect> run_udev_rules(std::span<const UdevRule> rules, const UdevDevice& device) {
  std::vector<UdevEffect> effects;
  const Labels labels(rules);
  std::size_t doubtful_until = 0;  // rules before this one may have been jumped over
  for (std::size_t i = 0; i < rules.size();) {
    const auto& rule = rules[i];
    auto certainty = matches_device(rule, device);
    const auto* jump = rule.assignment("GOTO");
    std::size_t next = i + 1;
    if (certainty == Certainty::kYes && i < doubtful_until) certainty = Certainty::kMaybe;
    const bool counts = certainty == Certainty::kYes || (certainty == Certainty::kMaybe && is_about_gpus(rule));
    if (counts) effects.push_back({&rule, certainty});
    if (jump != nullptr && certainty != Certainty::kNo) {
      const auto target = labels.find(i + 1, jump->value);
      if (certainty == Certainty::kYes) next = target;
      if (certainty == Certainty::kMaybe) doubtful_until = std::max(doubtful_until, target);
    }
    i = next;
  }
  return effects;
}

std::optional<std::uint32_t> udev_mode(std::string_view text) {
  const auto mode = parse_unsigned(text, 8);
  return mode && *mode <= 07777 ? std::optional(static_cast<std::uint32_t>(*mode)) : std::nullopt;
}

}  // namespace gpuharden
