// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's audit in a capture: written as auditctl shows it, handed out as the kernel sends it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/host/files.h"
#include "engine/native/audit.h"
#include "engine/native/audit_line.h"

namespace gpuharden {

class CaptureReader;
struct YamlNode;

struct CapturedAudit {
  std::optional<Error> error = Error{ErrorCode::kNotHeld, "audit: not captured"};
  AuditStatus status;
  std::vector<AuditLine> rules;
};

// The value of `audit:`; faults go to the reader.
CapturedAudit read_captured_audit(CaptureReader& reader, const YamlNode& node, std::string_view machine);

// As AUDIT_LIST_RULES messages; watches of folders are those of what `files` knows as folders.
std::string encode_captured_rules(const CapturedAudit& audit, const Files& files);

}  // namespace gpuharden
