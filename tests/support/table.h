// SPDX-License-Identifier: GPL-2.0-or-later
// Runs one probe on a host and holds what it said, for expectations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/probe.h"

namespace gpuharden::test {

// Cells by column name; integers as decimal text, NULL as "NULL", unread as "UNREAD".
using RowText = std::map<std::string, std::string, std::less<>>;

struct TableText {
  std::vector<RowText> rows;
  std::vector<Gap> gaps;

  // The first row whose column has that value; throws std::runtime_error when there is none.
  const RowText& where(std::string_view column, std::string_view value) const;
  bool has(std::string_view column, std::string_view value) const;
  // "key column cause" of each gap, sorted: "/etc/x * permission".
  std::vector<std::string> gap_words() const;
};

// Throws std::logic_error when there is no such table, or when a gap or row breaks the contract
// (a NULL in a not-null column, a gap of another table or of an unknown column).
TableText read_table(const Host& host, std::string_view table, std::vector<Argument> arguments = {});

}  // namespace gpuharden::test
