// SPDX-License-Identifier: GPL-2.0-or-later
// The running kernel and what decides which code it accepts.
#include "checks/kernel/kernel_cmdline.h"
#include "checks/kernel/kernel_value.h"
#include "checks/kernel/taint.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"release", ColumnType::kText, "release of the running kernel, as uname -r; in an image /proc/sys/kernel/osrelease",
     ColumnFlag::kKey},
    {"version", ColumnType::kText, "build of the running kernel, as uname -v"},
    {"machine", ColumnType::kText, "hardware name, as uname -m"},
    {"cmdline", ColumnType::kText, "/proc/cmdline; its words are in kernel_cmdline"},
    {"lockdown", ColumnType::kText,
     "none, integrity or confidentiality, from /sys/kernel/security/lockdown; NULL when the kernel has no lockdown"},
    {"sig_enforce", ColumnType::kBoolean,
     "whether unsigned modules are refused, from /sys/module/module/parameters/sig_enforce; lockdown refuses them as "
     "well; NULL when the kernel cannot check signatures"},
    {"tainted", ColumnType::kInteger, "bits of /proc/sys/kernel/tainted"},
    {"taint_flags", ColumnType::kText, "the same as letters: POE; empty when the kernel is not tainted"},
    {"has_modules", ColumnType::kBoolean, "whether the kernel can load modules at all (/proc/modules is there)"},
    {"modules_disabled", ColumnType::kBoolean,
     "whether loading is switched off until the next boot, from /proc/sys/kernel/modules_disabled; NULL when the "
     "kernel has no modules"},
    {"secure_boot", ColumnType::kBoolean,
     "whether Secure Boot is on, from the EFI variable SecureBoot; NULL without EFI"},
    {"setup_mode", ColumnType::kBoolean,
     "whether the firmware accepts new keys from anyone, from the EFI variable SetupMode; NULL without EFI"},
    {"audit_cmdline", ColumnType::kText,
     "value of audit= on the command line, the last one; NULL when it is not given"},
};

// Y and N, or 1 and 0.
Result<std::optional<bool>> flag(const Host& host, std::string_view path, std::string_view folder) {
  const auto text = kernel_value(host, path, folder);
  if (!text) return text.error();
  if (!*text) return std::optional<bool>();
  const bool is_set = **text == "Y" || **text == "1";
  if (!is_set && **text != "N" && **text != "0")
    return Error{ErrorCode::kMalformed, concat({path, ": neither Y nor N"})};
  return std::optional(is_set);
}

void set_name(Row& row, const Host& host) {
  const auto release = running_release(host);
  row.set("release", release);
  const auto name = host.kernel_name();
  if (!name) {
    row.unread("version", name.error()).unread("machine", name.error());
    return;
  }
  row.set("version", name->version).set("machine", name->machine);
}

void set_cmdline(Row& row, const Host& host) {
  const auto text = host.files().read("/proc/cmdline");
  if (!text) {
    const Error error = kernel_fact_error(host, text.error());
    row.unread("cmdline", error).unread("audit_cmdline", error);
    return;
  }
  std::optional<std::string> audit;
  for (const auto& parameter : parse_kernel_cmdline(text->bytes)) {
    if (parameter.name == "audit" && !parameter.for_init) audit = parameter.value.value_or("");
  }
  row.set("cmdline", trim(text->bytes)).set("audit_cmdline", audit);
}

void set_taint(Row& row, const Host& host) {
  const auto text = kernel_value(host, "/proc/sys/kernel/tainted", "/proc/sys/kernel/tainted");
  if (!text) {
    row.unread("tainted", text.error()).unread("taint_flags", text.error());
    return;
  }
  const auto bits = parse_unsigned(text->value_or(""));
  if (!bits) {
    const Error error{ErrorCode::kMalformed, "/proc/sys/kernel/tainted: not a number"};
    row.unread("tainted", error).unread("taint_flags", error);
    return;
  }
  row.set("tainted", *bits).set("taint_flags", taint_letters(*bits));
}

void set_module_switches(Row& row, const Host& host) {
  const auto modules = host.files().stat("/proc/modules");
  const bool is_known = modules || (modules.error().code == ErrorCode::kNotFound && host.kind() != HostKind::kImage &&
                                    host.files().stat("/proc/sys"));
  if (is_known) {
    row.set("has_modules", modules.has_value());
  } else {
    row.unread("has_modules", kernel_fact_error(host, modules.error()));
  }
  row.set("modules_disabled", flag(host, "/proc/sys/kernel/modules_disabled", "/proc/sys/kernel"));
  row.set("sig_enforce", flag(host, "/sys/module/module/parameters/sig_enforce", "/sys/module"));
}

void read_kernel(TableReader& out) {
  const Host& host = out.host();
  auto row = out.row();
  set_name(row, host);
  set_cmdline(row, host);
  set_taint(row, host);
  set_module_switches(row, host);
  row.set("lockdown", lockdown_mode(host));
  row.set("secure_boot", efi_flag(host, "SecureBoot"));
  row.set("setup_mode", efi_flag(host, "SetupMode"));
}

}  // namespace

Probe kernel_probe() {
  return {{"kernel", "The running kernel and what decides which code it accepts. One row.", kColumns}, &read_kernel};
}

}  // namespace gpuharden
