// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/capture_audit.h"

#include <linux/audit.h>

#include "engine/host/capture_reader.h"
#include "engine/native/audit_names.h"

namespace gpuharden {
namespace {

AuditStatus usual_status() {
  AuditStatus status;
  status.enabled = 1;
  status.failure = 1;
  status.backlog_limit = 8192;
  status.backlog_wait_time = 0;
  return status;
}

AuditStatus read_status(CaptureReader& reader, const YamlNode& node) {
  AuditStatus status = usual_status();
  reader.each(node, {
                        {"enabled", [&](const YamlNode& n) { reader.number(n, status.enabled); }},
                        {"failure", [&](const YamlNode& n) { reader.number(n, status.failure); }},
                        {"pid", [&](const YamlNode& n) { reader.number(n, status.pid); }},
                        {"rate-limit", [&](const YamlNode& n) { reader.number(n, status.rate_limit); }},
                        {"backlog-limit", [&](const YamlNode& n) { reader.number(n, status.backlog_limit); }},
                        {"lost", [&](const YamlNode& n) { reader.number(n, status.lost); }},
                        {"backlog", [&](const YamlNode& n) { reader.number(n, status.backlog); }},
                        {"backlog-wait-time", [&](const YamlNode& n) { reader.number(n, status.backlog_wait_time); }},
                    });
  return status;
}

void read_rules(CaptureReader& reader, const YamlNode& node, const AuditWords& words, std::vector<AuditLine>& rules) {
  if (!node.is_sequence()) return reader.fail(node, "a list of rules is expected");
  for (const auto& item : node.items) {
    auto line = parse_audit_line(item.scalar, words);
    if (line.kind != AuditLine::Kind::kRule || !line.doubt.empty()) {
      reader.fail(item, concat({"no audit rule: ", line.error, line.doubt}));
      continue;
    }
    rules.push_back(std::move(line));
  }
}

}  // namespace

CapturedAudit read_captured_audit(CaptureReader& reader, const YamlNode& node, std::string_view machine) {
  CapturedAudit audit;
  audit.error = std::nullopt;
  if (node.is_scalar()) {
    if (node.scalar == "none") {
      audit.error = Error{ErrorCode::kNotFound, "audit: this kernel has none, or was booted with audit=0"};
    } else if (node.scalar == "permission") {
      audit.error = Error{ErrorCode::kPermission, "audit: permission denied (as captured)"};
    } else {
      reader.fail(node, "none, permission or a map is expected");
    }
    return audit;
  }
  AuditWords words;
  words.machine = audit_machine(machine).value_or(0);
  audit.status = usual_status();
  reader.each(node, {
                        {"status", [&](const YamlNode& n) { audit.status = read_status(reader, n); }},
                        {"rules", [&](const YamlNode& n) { read_rules(reader, n, words, audit.rules); }},
                    });
  return audit;
}

std::string encode_captured_rules(const CapturedAudit& audit, const Files& files) {
  std::vector<AuditRule> rules;
  for (const auto& line : audit.rules) {
    rules.push_back(line.rule);
    if (!line.is_watch) continue;
    auto& path = rules.back().fields.front();
    const auto stat = files.stat(path.text);
    if (stat && stat->type == FileType::kDirectory) path.field = AUDIT_DIR;
  }
  return encode_audit_rules(rules);
}

}  // namespace gpuharden
