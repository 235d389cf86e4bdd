// SPDX-License-Identifier: GPL-2.0-or-later
// Parts of a page that stands alone: no script, nothing fetched, readable in the dark and on paper.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/report.h"

namespace gpuharden {

// From <!DOCTYPE> into <main>; `title` is text.
std::string html_head(std::string_view title);
std::string html_foot(std::string_view tool_version);

// A word in its colour; colour is never the only sign.
std::string html_badge(std::string_view css_class, std::string_view word);
std::string html_badge(Severity severity);
std::string html_badge(Outcome outcome);

struct HtmlBar {
  std::string label, css_class;
  std::int64_t value = 0;
};
// Bars with their numbers, as an SVG picture with a description.
std::string html_bars(std::string_view title, const std::vector<HtmlBar>& bars);

// ATT&CK's tactics, each with the techniques that the rules name: how many of their rules pass.
std::string html_matrix(const std::vector<const RuleFinding*>& rules);

// Horizon by outcome, for those outcomes that `what` can have.
std::string html_horizons(const std::map<std::string, std::map<Outcome, std::int64_t>>& counts, std::string_view what,
                          std::span<const Outcome> outcomes);

// One row: place, message, evidence. `more` is markup that follows.
std::string html_row(const RowFinding& row, std::string_view message, std::string_view more);
// Who accepts it and why; nothing where nobody does.
std::string html_waiver(const std::optional<AppliedWaiver>& waiver);
// Why, fix, references and techniques of a rule.
std::string html_advice(const RuleFinding& finding);

// Text as it may stand in the page, cut when it is very long.
std::string html_text(std::string_view text);

}  // namespace gpuharden
