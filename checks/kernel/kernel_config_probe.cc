// SPDX-License-Identifier: GPL-2.0-or-later
// How the running kernel was built: what it does where nothing is configured.
#include "checks/kernel/kernel_config.h"

#include <array>

#include "checks/kernel/kernel_value.h"
#include "engine/base/text.h"
#include "engine/native/decompress.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kCap = std::size_t{4} << 20U;

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "CONFIG_… name of an option that matters for security",
     ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "y, m, n, a number or a text; n also for options that this kernel does not know",
     ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/boot/config-RELEASE, /lib/modules/RELEASE/config or /proc/config.gz",
     ColumnFlag::kNotNull},
};

constexpr std::array<std::string_view, 21> kOptions = {"CONFIG_BPF_JIT_ALWAYS_ON",
                                                       "CONFIG_BPF_UNPRIV_DEFAULT_OFF",
                                                       "CONFIG_DEVMEM",
                                                       "CONFIG_IKCONFIG",
                                                       "CONFIG_KEXEC",
                                                       "CONFIG_KEXEC_SIG",
                                                       "CONFIG_LOCK_DOWN_IN_EFI_SECURE_BOOT",
                                                       "CONFIG_LOCK_DOWN_KERNEL_FORCE_CONFIDENTIALITY",
                                                       "CONFIG_LOCK_DOWN_KERNEL_FORCE_INTEGRITY",
                                                       "CONFIG_MODULES",
                                                       "CONFIG_MODULE_FORCE_LOAD",
                                                       "CONFIG_MODULE_SIG",
                                                       "CONFIG_MODULE_SIG_ALL",
                                                       "CONFIG_MODULE_SIG_FORCE",
                                                       "CONFIG_MODULE_UNLOAD",
                                                       "CONFIG_RANDOMIZE_BASE",
                                                       "CONFIG_SECURITY_DMESG_RESTRICT",
                                                       "CONFIG_SECURITY_LOCKDOWN_LSM",
                                                       "CONFIG_SECURITY_PERF_EVENTS_RESTRICT",
                                                       "CONFIG_STRICT_DEVMEM",
                                                       "CONFIG_USER_NS"};

struct Config {
  std::string path, text;
};

Result<Config> find_config(const Host& host) {
  const auto release = running_release(host);
  if (!release) return release.error();
  const std::array<std::string, 3> paths = {"/boot/config-" + *release, "/lib/modules/" + *release + "/config",
                                            "/proc/config.gz"};
  for (const auto& path : paths) {
    auto file = host.files().read(path, kCap);
    if (!file && file.error().code == ErrorCode::kNotFound) continue;
    if (!file) return file.error();
    auto text = decompress(file->bytes, kCap);
    if (!text) return std::move(text.error()).while_(path);
    return Config{path, std::move(*text)};
  }
  return Error{ErrorCode::kNotFound, concat({paths[0], ": is not there, and the kernel does not show it either"})};
}

void read_kernel_config(TableReader& out) {
  const auto config = find_config(out.host());
  if (!config) return out.gap(kernel_fact_error(out.host(), config.error()));
  const auto options = parse_kernel_config(config->text);
  if (options.empty()) return out.gap({ErrorCode::kMalformed, config->path + ": no kernel option in it"});
  for (const auto name : kOptions) {
    const auto found = options.find(name);
    out.row()
        .set("name", name)
        .set("value", found == options.end() ? std::string_view("n") : found->second)
        .set("file", config->path);
  }
}

}  // namespace

Probe kernel_config_probe() {
  return {
      {"kernel_config", "Options that the running kernel was built with, those that matter for security.", kColumns},
      &read_kernel_config};
}

}  // namespace gpuharden
