// SPDX-License-Identifier: GPL-2.0-or-later
// Values of the conditions of an audit rule, as auditctl reads them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/native/audit_line.h"

namespace gpuharden {

struct AuditValue {
  std::uint32_t number = 0;
  std::string error;  // auditctl refuses it
  std::string doubt;  // it may be good: what the name stands for is not known here
};

// Of a field whose value is no text.
AuditValue read_audit_value(std::uint32_t field, std::string_view text, const AuditWords& words);
// The letters of -p; nothing for others.
std::optional<std::uint32_t> read_audit_perm(std::string_view letters);

}  // namespace gpuharden
