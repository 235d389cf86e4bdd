// SPDX-License-Identifier: GPL-2.0-or-later
// Whether the firmware, shim and the kernel insist on signatures.
#include "checks/kernel/kernel_value.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr Column kColumns[] = {
    {"firmware", ColumnType::kText, "efi, or other where the machine was not started by EFI and has no Secure Boot",
     ColumnFlag::kKey},
    {"secure_boot", ColumnType::kBoolean, "EFI variable SecureBoot; NULL without EFI"},
    {"setup_mode", ColumnType::kBoolean,
     "EFI variable SetupMode: the firmware accepts new keys from anyone; NULL without EFI"},
    {"shim_insecure", ColumnType::kBoolean,
     "EFI variable MokSBStateRT: validation was switched off in shim (mokutil --disable-validation), so that the "
     "kernel "
     "takes Secure Boot for off; NULL without EFI"},
    {"lockdown", ColumnType::kText, "none, integrity or confidentiality; NULL when the kernel has no lockdown"},
};

void set_flag(Row& row, std::string_view column, const Result<std::optional<bool>>& value) {
  value ? row.set(column, *value) : row.unread(column, value.error());
}

void read_secure_boot(TableReader& out) {
  const Host& host = out.host();
  auto row = out.row();
  const auto efi = was_started_by_efi(host);
  efi ? row.set("firmware", *efi ? "efi" : "other") : row.unread("firmware", efi.error());
  set_flag(row, "secure_boot", efi_flag(host, "SecureBoot"));
  set_flag(row, "setup_mode", efi_flag(host, "SetupMode"));
  set_flag(row, "shim_insecure", efi_flag(host, "MokSBStateRT", kShimVariable));
  const auto lockdown = lockdown_mode(host);
  lockdown ? row.set("lockdown", *lockdown) : row.unread("lockdown", lockdown.error());
}

}  // namespace

Probe secure_boot_probe() {
  return {{"secure_boot", "Whether firmware, shim and kernel insist on signatures. One row.", kColumns},
          &read_secure_boot};
}

}  // namespace gpuharden
