// SPDX-License-Identifier: GPL-2.0-or-later
// How auditd writes its log.
#include "checks/audit/auditd_conf.h"
#include "engine/base/text.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr const char* kFile = "/etc/audit/auditd.conf";

constexpr Column kColumns[] = {
    {"name", ColumnType::kText, "setting, in lower case", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "its value", ColumnFlag::kNotNull},
    {"file", ColumnType::kPath, "/etc/audit/auditd.conf", ColumnFlag::kNotNull},
    {"line", ColumnType::kInteger, "line in that file; of repeated settings the last", ColumnFlag::kNotNull},
};

void read_auditd_config(TableReader& out) {
  const auto file = out.files().read(kFile);
  if (!file && file.error().code == ErrorCode::kNotFound) return;
  if (!file) return out.gap(file.error());
  if (file->truncated) out.gap({ErrorCode::kTooLarge, concat({kFile, ": too large"})});
  std::vector<std::uint32_t> bad_lines;
  for (const auto& setting : parse_auditd_conf(file->bytes, bad_lines)) {
    out.row().set("name", setting.name).set("value", setting.value).set("file", kFile).set("line", setting.line);
  }
  for (const auto line : bad_lines)
    out.gap({ErrorCode::kMalformed, concat({kFile, ":", std::to_string(line), ": no setting"})});
}

}  // namespace

Probe auditd_config_probe() { return {{"auditd_config", "The settings of auditd.", kColumns}, &read_auditd_config}; }

}  // namespace gpuharden
