// SPDX-License-Identifier: GPL-2.0-or-later
// What augenrules(8) makes of the files of /etc/audit/rules.d.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuharden {

struct AuditRuleFile {
  std::string path;
  std::string bytes;
};

struct AuditScriptLine {
  std::string file;        // where the line begins
  std::uint32_t line = 0;  // from 1
  std::string text;
};

// The order of `ls -v`: numbers in names count as numbers.
bool is_before_in_natural_order(std::string_view a, std::string_view b);

// The lines of one file as auditctl -R reads it.
std::vector<AuditScriptLine> audit_file_lines(const AuditRuleFile& file);

// The merged script. The files are one text, so a last line without a newline runs into the next
// file. The last -D, -b and -f come first, the last -e at the end; comments are gone.
std::vector<AuditScriptLine> merge_audit_rules(const std::vector<AuditRuleFile>& files);

}  // namespace gpuharden
