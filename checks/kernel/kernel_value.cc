// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/kernel/kernel_value.h"

#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::string_view kEfi = "/sys/firmware/efi";

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

Result<bool> was_started_by_efi(const Host& host) {
  const auto efi = host.files().stat(kEfi);
  if (efi) return true;
  const bool is_known = is_absent(efi.error()) && host.kind() != HostKind::kImage && host.files().stat("/sys/firmware");
  if (is_known) return false;
  return kernel_fact_error(host, efi.error());
}

Result<std::optional<bool>> efi_flag(const Host& host, std::string_view name, std::string_view owner) {
  GH_ASSIGN_OR_RETURN(const bool has_efi, was_started_by_efi(host));
  if (!has_efi) return std::optional<bool>();
  const auto path = concat({kEfi, "/efivars/", name, "-", owner});
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

// "none [integrity] confidentiality": the word in brackets.
Result<std::optional<std::string>> lockdown_mode(const Host& host) {
  constexpr std::string_view kSecurity = "/sys/kernel/security";
  const auto text = kernel_value(host, "/sys/kernel/security/lockdown", kSecurity);
  if (!text) return text.error();
  if (!*text) {
    const auto entries = host.files().list(kSecurity);
    if (entries && !entries->empty()) return std::optional<std::string>();
    return Error{ErrorCode::kNotFound, concat({kSecurity, ": securityfs is not mounted"})};
  }
  const auto open = (*text)->find('[');
  const auto close = (*text)->find(']', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) {
    return Error{ErrorCode::kMalformed, "/sys/kernel/security/lockdown: no mode in brackets"};
  }
  return std::optional((*text)->substr(open + 1, close - open - 1));
}

}  // namespace gpuharden
