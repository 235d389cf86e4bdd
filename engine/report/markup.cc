// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/markup.h"

#include "engine/base/text.h"

namespace gpuharden {

std::string escape_markup(std::string_view text) {
  const std::string safe = escape_for_terminal(text);
  std::string out;
  out.reserve(safe.size());
  for (std::size_t i = 0; i < safe.size(); ++i) {
    const std::string_view rest = std::string_view(safe).substr(i);
    // The two code points that are valid UTF-8 and no characters of XML.
    if (rest.starts_with("\xEF\xBF\xBE") || rest.starts_with("\xEF\xBF\xBF")) {
      out += rest[2] == '\xBE' ? "\\uFFFE" : "\\uFFFF";
      i += 2;
      continue;
    }
    switch (safe[i]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += safe[i];
    }
  }
  return out;
}

}  // namespace gpuharden
