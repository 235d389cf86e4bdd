// SPDX-License-Identifier: GPL-2.0-or-later
// udev rules that open device nodes or run programs.
#include <algorithm>

#include "checks/devices/udev_files.h"
#include "checks/devices/udev_simulation.h"
#include "checks/environment/path_exposure.h"
#include "checks/system/json_list.h"
#include "checks/systemd/unit_words.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"file", ColumnType::kPath, "a file of rules that counts: neither masked nor shadowed by a namesake",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "where the rule begins, from 1", ColumnFlag::kNotNull},
    {"matches", ColumnType::kText, "its conditions as written: KERNEL==\"kfd\" …", ColumnFlag::kNotNull},
    {"gpu_nodes", ColumnType::kText, "JSON list of the GPU nodes that it is for: /dev/kfd, /dev/dri/renderD128, …",
     ColumnFlag::kNotNull},
    {"conditional", ColumnType::kBoolean,
     "it is for GPU nodes only under conditions that were not evaluated; NULL when it is for none"},
    {"mode", ColumnType::kMode, "MODE=; NULL when not set, or no octal number"},
    {"owner", ColumnType::kText, "OWNER=; NULL when not set"},
    {"group", ColumnType::kText, "GROUP=; NULL when not set"},
    {"uaccess", ColumnType::kBoolean, "it gives whoever sits at the machine an ACL (TAG+=\"uaccess\")",
     ColumnFlag::kNotNull},
    {"programs", ColumnType::kText, "JSON list of the command lines of RUN, PROGRAM and IMPORT{program}",
     ColumnFlag::kNotNull},
    {"program_path", ColumnType::kPath,
     "the program of the first one that others can change; else of the first one; NULL when there is none"},
    {"program_changeable_by", ColumnType::kText,
     "who else than root can change that program, or could make it; NULL when nobody"},
    {"file_changeable_by", ColumnType::kText, "who else than root can change the file; NULL when nobody"},
};

// What a rule does to GPU nodes.
struct GpuUse {
  std::vector<std::string> nodes;
  bool is_certain = false;
};

class RuleRows {
 public:
  explicit RuleRows(TableReader& out) : out_(out), exposure_(out.files()) {}

  void add_file(const UdevFile& file) {
    std::unordered_map<const UdevRule*, GpuUse> uses;
    for (const auto& device : udev_gpu_devices()) {
      for (const auto& effect : run_udev_rules(file.rules, device)) {
        auto& use = uses[effect.rule];
        use.nodes.emplace_back(device.path);
        use.is_certain = use.is_certain || effect.certainty == Certainty::kYes;
      }
    }
    for (const auto& rule : file.rules) add_rule(file, rule, uses[&rule]);
  }

 private:
  static bool is_program(const UdevToken& token) {
    const bool runs =
        token.key == "RUN" && token.attribute != "builtin" && !token.is_match() && token.operation != "-=";
    return runs || token.key == "PROGRAM" || (token.key == "IMPORT" && token.attribute == "program");
  }

  void add_rule(const UdevFile& file, const UdevRule& rule, const GpuUse& use) {
    const auto* mode = rule.assignment("MODE");
    const auto* owner = rule.assignment("OWNER");
    const auto* group = rule.assignment("GROUP");
    std::vector<std::string> programs;
    bool uaccess = false;
    std::string matches;
    for (const auto& token : rule.tokens) {
      if (is_program(token) && !token.value.empty()) programs.push_back(token.value);
      uaccess = uaccess || (token.key == "TAG" && token.value == "uaccess" && token.operation == "+=");
      if (token.is_match()) matches += describe(token);
    }
    if (mode == nullptr && owner == nullptr && group == nullptr && programs.empty() && !uaccess) return;
    auto row = out_.row();
    row.set("file", file.path)
        .set("line", rule.line)
        .set("matches", trim(matches))
        .set("gpu_nodes", json_list(use.nodes))
        .set("uaccess", uaccess)
        .set("programs", json_list(programs));
    if (!use.nodes.empty()) row.set("conditional", !use.is_certain);
    if (mode != nullptr) row.set("mode", udev_mode(mode->value));
    if (owner != nullptr) row.set("owner", owner->value);
    if (group != nullptr) row.set("group", group->value);
    if (out_.wants("program_path") || out_.wants("program_changeable_by")) set_program(row, programs);
    if (out_.wants("file_changeable_by")) row.set("file_changeable_by", exposure_.of(file.path));
  }

  static std::string describe(const UdevToken& token) {
    const auto braces = token.attribute.empty() ? std::string() : concat({"{", token.attribute, "}"});
    return concat({token.key, braces, token.operation, "\"", token.value, "\" "});
  }

  void set_program(Row& row, const std::vector<std::string>& programs) {
    std::string first;
    for (const auto& program : programs) {
      const auto words = split_unit_words(program);
      if (words.empty() || words[0].find_first_of("$%") != std::string::npos) continue;
      const auto path = words[0].starts_with('/') ? words[0] : concat({"/usr/lib/udev/", words[0]});
      if (first.empty()) first = path;
      const auto reason = exposure_.of(path);
      if (reason && !*reason) continue;
      row.set("program_path", path);
      row.set("program_changeable_by", exposure_.of(path));
      return;
    }
    if (!first.empty()) row.set("program_path", first);
  }

  TableReader& out_;
  PathExposure exposure_;
};

void read_udev_rules(TableReader& out) {
  const auto& facts = udev_files_of(out.shared(), out.host());
  for (const auto& error : facts.errors) out.gap("*", "*", error.error);
  RuleRows rows(out);
  for (const auto& file : facts.files) rows.add_file(file);
}

}  // namespace

Probe udev_rules_probe() {
  return {{"udev_rules",
           "udev rules that set owner, group, mode or uaccess of nodes, or run programs, with the GPU nodes that they "
           "are for. Each file is judged by itself; udev_gpu_nodes has what all of them make of a node.",
           kColumns},
          &read_udev_rules};
}

}  // namespace gpuharden
