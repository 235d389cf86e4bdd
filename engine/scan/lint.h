// SPDX-License-Identifier: GPL-2.0-or-later
// What a rule's SQL must not do: each refusal closes a way in which a blind spot turns green.
#pragma once

#include <string_view>
#include <vector>

#include "engine/model/floor.h"
#include "engine/model/rule.h"
#include "engine/rules/diagnostic.h"
#include "engine/scan/database.h"

namespace gpuharden {

// Prepares every query of the rule and adds what is wrong. `text` is the rule's file, for snippets;
// it may be empty.
void lint_rule(const Rule& rule, std::string_view text, Database& database, std::vector<Diagnostic>& diagnostics);

// Whether every floors('…') of the rule names a component that there is.
void lint_floor_names(const Rule& rule, std::string_view text, const std::vector<FloorFile>& floors,
                      std::vector<Diagnostic>& diagnostics);

// The checks of one statement that need no rule: also for `gpuharden query`. Returns sentences.
struct SqlComplaint {
  std::string code;
  std::size_t offset = 0;
  std::string sentence;
};
std::vector<SqlComplaint> check_sql(std::string_view sql, const std::set<ColumnRead>& reads);

}  // namespace gpuharden
