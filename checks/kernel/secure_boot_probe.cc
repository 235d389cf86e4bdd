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

void read_secure_boot(TableReader& out) {
  const Host& host = out.host();
  auto row = out.row();
  const auto efi = was_started_by_efi(host);
  efi ? row.set("firmware", *efi ? "efi" : "other") : row.unread("firmware", efi.error());
  row.set("secure_boot", efi_flag(host, "SecureBoot"));
  row.set("setup_mode", efi_flag(host, "SetupMode"));
  row.set("shim_insecure", efi_flag(host, "MokSBStateRT", kShimVariable));
  const auto lockdown = lockdown_mode(host);
  row.set("lockdown", lockdown);
}

}  // namespace

Probe secure_boot_probe() {
  return {{"secure_boot", "Whether firmware, shim and kernel insist on signatures. One row.", kColumns},
          &read_secure_boot};
}

}  // namespace gpuharden
