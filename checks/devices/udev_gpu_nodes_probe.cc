// SPDX-License-Identifier: GPL-2.0-or-later
// What owner and mode the udev rules will give to GPU nodes at the next boot.
#include "checks/devices/udev_files.h"
#include "checks/devices/udev_simulation.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"path", ColumnType::kPath, "an example of a node: /dev/dri/renderD128 stands for all render nodes",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"class", ColumnType::kText, "as in device_nodes: kfd, drm-render, drm-card, accel, nvidia-gpu, nvidia-uvm, …",
     ColumnFlag::kNotNull},
    {"mode", ColumnType::kMode,
     "what the last MODE= says, 0660 where only a group is set; NULL where no rule sets either, and the driver "
     "decides"},
    {"owner", ColumnType::kText, "what the last OWNER= says; NULL where none does"},
    {"group", ColumnType::kText, "what the last GROUP= says; NULL where none does"},
    {"uaccess", ColumnType::kBoolean, "whoever sits at the machine gets an ACL", ColumnFlag::kNotNull},
    {"uncertain", ColumnType::kBoolean, "a rule with conditions that were not evaluated may set another mode or group",
     ColumnFlag::kNotNull},
    {"uncertain_mode", ColumnType::kMode, "what the last of these sets as mode; NULL when none does"},
    {"file", ColumnType::kPath, "the rule that decides the mode; NULL where none does"},
    {"line", ColumnType::kInteger, "where it begins, from 1"},
};

struct NodeState {
  std::optional<std::uint32_t> mode, uncertain_mode;
  std::optional<std::string> owner, group;
  bool has_mode = false;  // also one that is no number
  bool mode_is_final = false, owner_is_final = false, group_is_final = false;
  bool has_uaccess = false, is_uncertain = false;
  std::string file, group_file;
  std::uint32_t line = 0, group_line = 0;
};

class Simulation {
 public:
  explicit Simulation(NodeState& state) : state_(state) {}

  void take(const UdevFile& file, const UdevEffect& effect) {
    const auto& rule = *effect.rule;
    const auto* mode = rule.assignment("MODE");
    const auto* group = rule.assignment("GROUP");
    if (effect.certainty == Certainty::kMaybe) return take_uncertain(mode, group);
    if (mode != nullptr && !state_.mode_is_final) take_mode(file, rule, *mode);
    if (group != nullptr && !state_.group_is_final) take_group(file, rule, *group);
    if (const auto* owner = rule.assignment("OWNER"); owner != nullptr && !state_.owner_is_final) {
      state_.owner = owner->value;
      state_.owner_is_final = owner->operation == ":=";
    }
    for (const auto& token : rule.tokens) {
      if (token.key == "TAG" && token.value == "uaccess" && !token.is_match())
        state_.has_uaccess = token.operation != "-=";
    }
  }

 private:
  void take_uncertain(const UdevToken* mode, const UdevToken* group) {
    if (mode != nullptr && !state_.mode_is_final) {
      state_.is_uncertain = true;
      state_.uncertain_mode = udev_mode(mode->value);
    }
    state_.is_uncertain = state_.is_uncertain || (group != nullptr && !state_.group_is_final);
  }

  void take_mode(const UdevFile& file, const UdevRule& rule, const UdevToken& mode) {
    state_.has_mode = true;
    state_.mode = udev_mode(mode.value);
    state_.mode_is_final = mode.operation == ":=";
    state_.file = file.path;
    state_.line = rule.line;
    state_.uncertain_mode.reset();  // it is replaced, whether it was set or not
    if (!state_.mode) state_.is_uncertain = true;
  }

  void take_group(const UdevFile& file, const UdevRule& rule, const UdevToken& group) {
    state_.group = group.value;
    state_.group_is_final = group.operation == ":=";
    state_.group_file = file.path;
    state_.group_line = rule.line;
  }

  NodeState& state_;
};

void add_row(TableReader& out, const UdevDevice& device, NodeState state) {
  if (!state.has_mode && state.group) {
    state.mode = 0660;
    state.file = state.group_file;
    state.line = state.group_line;
  }
  auto row = out.row();
  row.set("path", device.path)
      .set("class", device.node_class)
      .set("mode", state.mode)
      .set("owner", state.owner)
      .set("group", state.group)
      .set("uaccess", state.has_uaccess)
      .set("uncertain", state.is_uncertain)
      .set("uncertain_mode", state.uncertain_mode);
  if (!state.file.empty()) row.set("file", state.file).set("line", state.line);
}

void read_udev_gpu_nodes(TableReader& out) {
  const auto& facts = udev_files_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap(error.error);
  if (facts.files.empty()) return;  // no udev here: something else makes the nodes
  for (const auto& device : udev_gpu_devices()) {
    NodeState state;
    Simulation simulation(state);
    for (const auto& file : facts.files) {
      for (const auto& effect : run_udev_rules(file.rules, device)) simulation.take(file, effect);
    }
    add_row(out, device, std::move(state));
  }
}

}  // namespace

Probe udev_gpu_nodes_probe() {
  return {
      {"udev_gpu_nodes",
       "What the udev rules of a host together make of each kind of GPU node when it appears. The nodes of NVIDIA's "
       "driver are made by nvidia-modprobe, past udev: only rules that name them count. No row without rules.",
       kColumns},
      &read_udev_gpu_nodes};
}

}  // namespace gpuharden
