// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/modprobe_settings.h"

#include <array>

#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/module_name.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kCmdline = "/proc/cmdline";
// libkmod's own order; /lib is where it looked before merged /usr.
constexpr std::array<std::string_view, 5> kFolders = {"/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d",
                                                      "/usr/lib/modprobe.d", "/lib/modprobe.d"};
constexpr std::array<std::string_view, 2> kSuffixes = {".conf", ".alias"};

std::string_view list_command(std::string_view name) {
  if (name == "modprobe.blacklist") return "blacklist";
  if (name == "module_blacklist") return "module_blacklist";
  if (name == "rd.driver.blacklist") return "initramfs_blacklist";
  return {};
}

void add(ModprobeLines& out, std::string_view command, std::string_view module, std::string argument) {
  if (module.empty()) return;
  out.lines.push_back({{std::string(command), normalize_module_name(module), std::move(argument), 1},
                       std::string(kCmdline),
                       std::nullopt});
}

void read_cmdline(const Host& host, ModprobeLines& out) {
  const auto file = host.files().read(kCmdline);
  if (!file) {
    // An image has no running kernel, so nothing is said by it.
    const bool is_image = host.kind() == HostKind::kImage && file.error().code == ErrorCode::kNotFound;
    if (!is_image) out.errors.push_back({std::string(kCmdline), file.error()});
    return;
  }
  for (const auto& parameter : parse_kernel_cmdline(file->bytes)) {
    if (parameter.for_init || !parameter.value) continue;
    const auto command = list_command(normalize_module_name(parameter.name));
    const auto dot = parameter.name.find('.');
    if (!command.empty()) {
      for (const auto module : split(*parameter.value, ',')) add(out, command, module, "");
    } else if (dot != std::string::npos) {
      const auto quote = parameter.value->find(' ') == std::string::npos ? "" : "\"";
      add(out, "options", parameter.name.substr(0, dot),
          concat({parameter.name.substr(dot + 1), "=", quote, *parameter.value, quote}));
    }
  }
}

ModprobeLines read_modprobe_lines(const Host& host) {
  auto conf = read_conf_files(host.files(), kFolders, kSuffixes);
  ModprobeLines out;
  out.errors = std::move(conf.errors);
  for (const auto& file : conf.files) {
    if (file.path.ends_with(".alias")) {
      // kmod 30 reads these files, kmod 34 does not (both tried), and nothing here tells which kmod is there.
      out.errors.push_back(
          {file.path, {ErrorCode::kUnsupported, concat({file.path, ": newer versions of kmod do not read it"})}});
    }
    std::vector<std::uint32_t> bad_lines;
    for (auto& line : parse_modprobe_conf(file.bytes, bad_lines))
      out.lines.push_back({std::move(line), file.path, file.mtime});
  }
  read_cmdline(host, out);
  return out;
}

}  // namespace

const ModprobeLines& modprobe_lines(TableReader& out) {
  return out.shared().get<ModprobeLines>(out.host(), &read_modprobe_lines);
}

}  // namespace gpuharden
