// SPDX-License-Identifier: GPL-2.0-or-later
#include <string_view>

#include "engine/apply/journal.h"
#include "engine/base/line_edit.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, unsigned long size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuharden::parse_journal(text).has_value();
  // The digest keeps most inputs out: the line itself as well.
  std::string digest;
  (void)gpuharden::parse_journal(gpuharden::journal_line({}, std::string(text), digest)).has_value();
  const auto half = size / 2;
  (void)gpuharden::undo_edit(text.substr(half), text.substr(0, half), text).has_value();
  return 0;
}
