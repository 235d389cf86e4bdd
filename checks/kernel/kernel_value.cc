// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_value.h"

#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kEfi = "/sys/firmware/efi";
constexpr std::string_view kGlobalVariable = "8be4df61-93ca-11d2-aa0d-00e098032b8c";

bool is_absent(const Error& error) { return error.code == ErrorCode::kNotFound; }

// Whether there are EFI variables at all: an empty folder means that efivarfs is not mounted.
Result<bool> has_efi_variables(const Host& host) {
  const auto entries = host.files().list(concat({kEfi, "/efivars"}));
  if (!entries) return entries.error();
  return !entries->empty();
}

}  // namespace

Result<std::optional<std::string>> kernel_value(const Host& host, std::string_view path, std::string_view folder) {
  const auto file = host.files().read(path);
  if (file) return std::optional(std::string(trim(file->bytes)));
  if (!is_absent(file.error()) || host.kind() == HostKind::kImage) return kernel_fact_error(host, file.error());
  const auto around = host.files().stat(folder);
  if (!around) return around.error();
  return std::optional<std::string>();
}

Result<std::string> running_release(const Host& host) {
  const auto name = host.kernel_name();
  if (name && !name->release.empty()) return name->release;
  const auto file = host.files().read("/proc/sys/kernel/osrelease");
  if (file) return std::string(trim(file->bytes));
  return name ? kernel_fact_error(host, file.error()) : name.error();
}

Result<std::optional<bool>> efi_flag(const Host& host, std::string_view name) {
  const auto efi = host.files().stat(kEfi);
  if (!efi && is_absent(efi.error()) && host.kind() != HostKind::kImage && host.files().stat("/sys/firmware")) {
    return std::optional<bool>();
  }
  if (!efi) return kernel_fact_error(host, efi.error());
  const auto path = concat({kEfi, "/efivars/", name, "-", kGlobalVariable});
  const auto file = host.files().read(path);
  if (!file && is_absent(file.error())) {
    GH_ASSIGN_OR_RETURN(const bool mounted, has_efi_variables(host));
    if (mounted) return std::optional(false);  // this firmware knows no Secure Boot
  }
  if (!file) return file.error();
  // Four bytes of attributes, then the value.
  if (file->bytes.size() != 5) return Error{ErrorCode::kMalformed, concat({path, ": five bytes are expected"})};
  return std::optional(file->bytes[4] != 0);
}

}  // namespace gpuharden
