// SPDX-License-Identifier: GPL-2.0-or-later
// What the next run of update-grub will put on the kernel's command line.
#include <array>
#include <map>

#include "checks/environment/shell_assignments.h"
#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_name.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFile = "/etc/default/grub";
constexpr std::string_view kDropIns = "/etc/default/grub.d/*.cfg";

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "GRUB_CMDLINE_LINUX, GRUB_CMDLINE_LINUX_DEFAULT or GRUB_DEFAULT",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText,
     "its value at the end: files of grub.d come after /etc/default/grub, in order of their names, and may use what it "
     "said",
     ColumnFlag::kNotNull},
    {"sig_enforce", ColumnType::kBoolean, "whether module.sig_enforce is in it", ColumnFlag::kNotNull},
    {"lockdown", ColumnType::kText, "value of lockdown= in it; NULL when it is not given"},
    {"file", ColumnType::kPath, "where the last assignment stands", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line of it", ColumnFlag::kNotNull},
};

constexpr std::array<std::string_view, 3> kNames = {"GRUB_CMDLINE_LINUX", "GRUB_CMDLINE_LINUX_DEFAULT", "GRUB_DEFAULT"};

struct Setting {
  std::string value, file;
  std::uint32_t line = 0;
  bool is_doubtful = false;  // under a condition, or made by a command
};

class Settings {
 public:
  explicit Settings(TableReader& out) : out_(out) {}

  void run() {
    std::vector<Error> errors;
    add_file(std::string(kFile));
    for (const auto& path : expand_glob(out_.files(), kDropIns, errors, 1000)) add_file(path);
    for (const auto& error : errors) out_.gap(error);
    for (const auto& [name, setting] : settings_) add_row(name, setting);
  }

 private:
  void add_file(const std::string& path) {
    const auto file = out_.files().read(path);
    if (!file && file.error().code == ErrorCode::kNotFound) return;
    if (!file) return out_.gap(file.error());
    if (file->truncated) out_.gap({ErrorCode::kTooLarge, path + ": too large, its end was not read"});
    auto text = parse_shell(file->bytes, variables_);
    for (const auto& item : text.items) {
      if (item.kind != ShellItemKind::kAssignment || item.is_for_command) continue;
      for (const auto name : kNames) {
        if (item.name != name) continue;
        const bool is_open = item.value.find('$') != std::string::npos;
        settings_[item.name] = {item.value, path, item.line, item.is_conditional || is_open};
      }
    }
    variables_ = std::move(text.variables);
  }

  void add_row(const std::string& name, const Setting& setting) {
    if (setting.is_doubtful)
      out_.gap(name, "*",
               {ErrorCode::kUnsupported, concat({setting.file, ": only a shell knows the value of ", name})});
    bool sig_enforce = false;
    std::optional<std::string> lockdown;
    for (const auto& parameter : parse_kernel_cmdline(setting.value)) {
      const auto parameter_name = normalize_module_name(parameter.name);
      const auto value = to_lower(parameter.value.value_or("y"));
      const bool is_on = value == "1" || value == "on" || value.starts_with('y');
      if (parameter_name == "module.sig_enforce") sig_enforce = sig_enforce || is_on;
      if (parameter_name == "lockdown") lockdown = parameter.value.value_or("");
    }
    out_.row()
        .set("name", name)
        .set("value", setting.value)
        .set("sig_enforce", sig_enforce)
        .set("lockdown", lockdown)
        .set("file", setting.file)
        .set("line", setting.line);
  }

  TableReader& out_;
  ShellVariables variables_;
  std::map<std::string, Setting> settings_;
};

void read_grub_defaults(TableReader& out) { Settings(out).run(); }

}  // namespace

Probe grub_defaults_probe() {
  return {
      {"grub_defaults",
       "What /etc/default/grub and grub.d say. It comes into force when update-grub has been run: see boot_entries.",
       kColumns},
      &read_grub_defaults};
}

}  // namespace gpuharden
