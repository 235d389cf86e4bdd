// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/audit/audit_script.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::string_view kFolder = "/etc/audit/rules.d";
constexpr std::string_view kFile = "/etc/audit/audit.rules";
constexpr std::size_t kRulesCap = std::size_t{16} << 20U;

constexpr std::array<std::string_view, 3> kUnitFolders = {"/etc/systemd/system/", "/usr/lib/systemd/system/",
                                                          "/lib/systemd/system/"};
// audit 4 loads the rules by a unit of their own.
constexpr std::array<std::string_view, 2> kUnits = {"audit-rules.service", "auditd.service"};

enum class Loader { kNone, kAugenrules, kAuditctl };

Loader loader_of(std::string_view unit) {
  Loader loader = Loader::kNone;
  for (const auto line : split(unit, '\n')) {
    if (!trim(line).starts_with("Exec")) continue;
    if (line.find("augenrules") != std::string_view::npos) return Loader::kAugenrules;
    if (line.find("auditctl -R /etc/audit/audit.rules") != std::string_view::npos) loader = Loader::kAuditctl;
  }
  return loader;
}

// The strongest copy of each unit; without any, augenrules is what every distribution has.
bool is_loaded_by_auditctl(const Files& files, std::vector<Error>& errors) {
  for (const auto unit : kUnits) {
    for (const auto folder : kUnitFolders) {
      const auto text = files.read(concat({folder, unit}));
      if (!text && text.error().code == ErrorCode::kNotFound) continue;
      if (!text) {
        errors.push_back(text.error());
        continue;
      }
      const Loader loader = loader_of(text->bytes);
      if (loader != Loader::kNone) return loader == Loader::kAuditctl;
      break;
    }
  }
  return false;
}

void read_into(const Files& files, const std::string& path, std::vector<AuditRuleFile>& out,
               std::vector<Error>& errors) {
  auto file = files.read(path, kRulesCap);
  if (!file) {
    errors.push_back(std::move(file).error());
    return;
  }
  if (file->truncated) errors.push_back({ErrorCode::kTooLarge, path + ": larger than 16 MiB"});
  out.push_back({path, std::move(file->bytes)});
}

}  // namespace

AuditScript read_audit_script(const Files& files) {
  AuditScript script;
  const auto entries = files.list(kFolder);
  const bool has_folder = entries.has_value() || entries.error().code != ErrorCode::kNotFound;
  if (has_folder && !entries) script.errors.push_back(entries.error());
  if (!has_folder || is_loaded_by_auditctl(files, script.errors)) {
    const auto stat = files.stat(kFile);
    if (!stat && stat.error().code == ErrorCode::kNotFound) return script;
    script.source = "audit.rules";
    std::vector<AuditRuleFile> file;
    read_into(files, std::string(kFile), file, script.errors);
    if (!file.empty()) script.lines = audit_file_lines(file.front());
    return script;
  }
  script.source = "rules.d";
  std::vector<std::string> names;
  for (const auto& entry : entries ? *entries : std::vector<DirectoryEntry>()) {
    if (entry.name.ends_with(".rules") && entry.name[0] != '.') names.push_back(entry.name);
  }
  std::sort(names.begin(), names.end(), &is_before_in_natural_order);
  std::vector<AuditRuleFile> parts;
  for (const auto& name : names) read_into(files, concat({kFolder, "/", name}), parts, script.errors);
  script.lines = merge_audit_rules(parts);
  return script;
}

}  // namespace gpuharden
