// SPDX-License-Identifier: GPL-2.0-or-later
// Module parameters: what is configured and what the loaded module uses.
#include <array>
#include <map>

#include "checks/kernel/kernel_value.h"
#include "checks/kernel/modprobe_settings.h"
#include "checks/kernel/module_name.h"
#include "checks/kernel/parameter_value.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kNvidiaParams = "/proc/driver/nvidia/params";

constexpr Column kColumns[] = {
    {"module", ColumnType::kText, "module, with '_' for '-'", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"name", ColumnType::kText,
     "name of the parameter; those of /proc/driver/nvidia/params with the option's name: NVreg_DeviceFileMode",
     ColumnFlag::kNotNull},
    {"configured", ColumnType::kText, "value that modprobe gives, the last one in its order; NULL when none is given"},
    {"configured_number", ColumnType::kInteger,
     "the same as the kernel reads it: 0x1f hexadecimal, 0660 octal, 660 decimal, Y 1, N 0; NULL when it is no number"},
    {"configured_file", ColumnType::kPath, "where that stands; /proc/cmdline for the running kernel's command line"},
    {"configured_line", ColumnType::kInteger, "line in that file"},
    {"running", ColumnType::kText,
     "value in use, as the kernel shows it; NULL when the module is not loaded or does not show it"},
    {"running_number", ColumnType::kInteger, "the same as a number; NULL when it is none"},
    {"running_source", ColumnType::kPath, "file that shows it"},
};

// Modules whose parameters are listed even when none is configured.
constexpr std::array<std::string_view, 6> kListed = {"amdgpu",         "nvidia",         "nvidia_drm",
                                                     "nvidia_modeset", "nvidia_peermem", "nvidia_uvm"};

struct Parameter {
  std::optional<std::string> configured, running;
  std::string file, source;
  std::uint32_t line = 0;
  std::optional<Error> running_error;
};

class Parameters {
 public:
  explicit Parameters(TableReader& out) : out_(out) {}

  void run() {
    read_configured();
    read_nvidia();
    for (const auto module : kListed) read_folder(module);
    for (auto& [key, parameter] : parameters_) {
      if (!parameter.running && !parameter.running_error) read_running(key.first, key.second, parameter);
      add_row(key.first, key.second, parameter);
    }
  }

 private:
  using Key = std::pair<std::string, std::string>;

  void read_configured() {
    const auto& settings = modprobe_lines(out_);
    // Whose line could not be read is not known: any module's.
    for (const auto& [path, error] : settings.errors) {
      for (const auto* column : {"configured", "configured_number"}) out_.gap("*", column, error);
    }
    for (const auto& [line, file, mtime] : settings.lines) {
      if (line.command != "options") continue;
      for (const auto& option : parse_module_options(line.argument)) {
        auto& parameter = parameters_[Key(line.module, option.name)];
        parameter.configured = option.value;
        parameter.file = file;
        parameter.line = line.line;
      }
    }
  }

  // The driver's parameters are not in /sys: its own list has them, in decimal.
  void read_nvidia() {
    const auto text = kernel_value(out_.host(), kNvidiaParams, "/proc");
    if (!text) {
      nvidia_error_ = text.error();
      out_.gap("nvidia", "running", text.error());
      out_.gap("nvidia", "running_number", text.error());
      return;
    }
    for (const auto& [name, value] : parse_nvidia_params(text->value_or(""))) {
      auto& parameter = parameters_[Key("nvidia", name)];
      parameter.running = value;
      parameter.source = kNvidiaParams;
    }
  }

  void read_folder(std::string_view module) {
    const auto folder = concat({"/sys/module/", module, "/parameters"});
    const auto entries = out_.files().list(folder);
    if (!entries && entries.error().code == ErrorCode::kNotFound) return;
    if (!entries) {
      for (const auto* column : {"running", "running_number"}) out_.gap(module, column, entries.error());
      return;
    }
    for (const auto& entry : *entries) parameters_[Key(module, normalize_module_name(entry.name))];
  }

  void read_running(const std::string& module, const std::string& name, Parameter& parameter) {
    const bool is_nvidias_own = module.starts_with("nvidia") && name.starts_with("NVreg_");
    if (is_nvidias_own) {
      if (nvidia_error_) parameter.running_error = nvidia_error_;
      return;
    }
    const auto folder = concat({"/sys/module/", module, "/parameters"});
    const auto path = concat({folder, "/", name});
    const auto value = kernel_value(out_.host(), path, "/sys/module");
    if (!value) {
      parameter.running_error = value.error();
    } else if (*value) {
      parameter.running = **value;
      parameter.source = path;
    }
  }

  void add_row(const std::string& module, const std::string& name, const Parameter& parameter) {
    auto row = out_.row();
    row.set("module", module).set("name", name);
    if (parameter.configured) {
      row.set("configured", *parameter.configured)
          .set("configured_number", parse_parameter_number(*parameter.configured))
          .set("configured_file", parameter.file)
          .set("configured_line", parameter.line);
    }
    if (parameter.running_error) {
      row.unread("running", *parameter.running_error).unread("running_number", *parameter.running_error);
    } else if (parameter.running) {
      row.set("running", *parameter.running)
          .set("running_number", parse_parameter_number(*parameter.running))
          .set("running_source", parameter.source);
    }
  }

  TableReader& out_;
  std::map<Key, Parameter> parameters_;
  std::optional<Error> nvidia_error_;
};

void read_module_parameters(TableReader& out) { Parameters(out).run(); }

}  // namespace

Probe module_parameters_probe() {
  return {{"module_parameters",
           "Parameters of kernel modules: every configured one, and all that the GPU drivers show.", kColumns},
          &read_module_parameters};
}

}  // namespace gpuharden
