// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/report/html_parts.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"
#include "engine/report/html_style.h"
#include "engine/report/markup.h"
#include "engine/report/words.h"

namespace gpuharden {
namespace {

constexpr std::size_t kLongestText = 8'192;

// In the order of an intrusion; what is not here comes after them.
constexpr std::array<std::string_view, 16> kTactics = {
    "reconnaissance",  "resource-development", "initial-access", "execution",
    "persistence",     "privilege-escalation", "stealth",        "defense-impairment",
    "defense-evasion", "credential-access",    "discovery",      "lateral-movement",
    "collection",      "command-and-control",  "exfiltration",   "impact"};

struct Technique {
  std::string name;
  std::map<Outcome, std::int64_t> rules;
};

// "Privilege escalation"
std::string title_of(std::string_view name) {
  std::string words = in_words(name);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

std::string_view cell_class(const Technique& technique) {
  const auto pass = count_of(technique.rules, Outcome::kPass);
  const auto fail = count_of(technique.rules, Outcome::kFail);
  const auto open = count_of(technique.rules, Outcome::kUnknown) + count_of(technique.rules, Outcome::kError) +
                    count_of(technique.rules, Outcome::kWaived);
  if (fail > 0) return "bad";
  if (open > 0) return "mixed";
  return pass > 0 ? "good" : "none";
}

std::string cell_words(const Technique& technique) {
  std::vector<std::string> words;
  for (const auto outcome : kOutcomesWorstFirst) {
    const auto count = count_of(technique.rules, outcome);
    if (count > 0) words.push_back(concat({std::to_string(count), " ", in_words(to_string(outcome))}));
  }
  return join(words, ", ");
}

using TechniquesByTactic = std::map<std::string, std::map<std::string, Technique>>;

std::string tactic_column(const std::string& tactic, const std::map<std::string, Technique>& techniques) {
  std::string out = concat({"<section class=\"tactic\"><h3>", html_text(title_of(tactic)), "</h3><ul>"});
  for (const auto& [id, technique] : techniques) {
    out += concat({"<li class=\"", cell_class(technique), "\"><strong>", html_text(id), "</strong> ",
                   html_text(technique.name), "<br>", cell_words(technique), "</li>"});
  }
  return out + "</ul></section>\n";
}

std::string link(std::string_view url) {
  // Anything but the web stays text.
  if (!url.starts_with("https://") && !url.starts_with("http://")) return html_text(url);
  return concat({"<a rel=\"noreferrer\" href=\"", escape_markup(url), "\">", html_text(url), "</a>"});
}

}  // namespace

std::string html_text(std::string_view text) {
  if (text.size() <= kLongestText) return escape_markup(text);
  return concat({escape_markup(text.substr(0, kLongestText)), "… (", std::to_string(text.size()), " bytes)"});
}

std::string html_head(std::string_view title) {
  return concat(
      {"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
       "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
       html_text(title), "</title>\n<style>", kHtmlStyle, "</style>\n</head>\n<body>\n<main>\n"});
}

std::string html_foot(std::string_view tool_version) {
  return concat(
      {"<p class=\"muted\">Made by gpuharden ", html_text(tool_version), ".</p>\n</main>\n</body>\n</html>\n"});
}

std::string html_badge(std::string_view css_class, std::string_view word) {
  return concat({"<span class=\"badge ", css_class, "\">", html_text(word), "</span>"});
}
std::string html_badge(Severity severity) { return html_badge(to_string(severity), to_string(severity)); }
std::string html_badge(Outcome outcome) { return html_badge(to_string(outcome), in_words(to_string(outcome))); }

std::string html_bars(std::string_view title, const std::vector<HtmlBar>& bars) {
  constexpr int kRow = 28;
  constexpr std::int64_t kWidth = 185;
  std::int64_t largest = 1;
  std::vector<std::string> words;
  for (const auto& bar : bars) {
    largest = std::max(largest, bar.value);
    words.push_back(concat({std::to_string(bar.value), " ", bar.label}));
  }
  std::string out =
      concat({"<figure><figcaption>", html_text(title), "</figcaption><svg role=\"img\" viewBox=\"0 0 360 ",
              std::to_string(kRow * static_cast<int>(bars.size())), "\" aria-label=\"", html_text(title), ": ",
              html_text(join(words, ", ")), "\">"});
  int top = 0;
  for (const auto& bar : bars) {
    const std::int64_t width = bar.value == 0 ? 0 : std::max<std::int64_t>(2, bar.value * kWidth / largest);
    out += concat({"<text x=\"0\" y=\"", std::to_string(top + 19), "\">", html_text(bar.label),
                   "</text><rect x=\"120\" y=\"", std::to_string(top + 5), "\" width=\"", std::to_string(width),
                   "\" height=\"18\" class=\"", bar.css_class, "\"/><text x=\"", std::to_string(128 + width), "\" y=\"",
                   std::to_string(top + 19), "\">", std::to_string(bar.value), "</text>"});
    top += kRow;
  }
  return out + "</svg></figure>\n";
}

std::string html_matrix(const std::vector<const RuleFinding*>& rules) {
  TechniquesByTactic tactics;
  for (const auto* finding : rules) {
    for (const auto& reference : finding->attack) {
      for (const auto& tactic : reference.tactics) {
        Technique& technique = tactics[tactic][reference.id];
        technique.name = reference.name;
        ++technique.rules[finding->outcome];
      }
    }
  }
  if (tactics.empty()) return {};
  std::string out =
      "<h2>ATT&amp;CK</h2>\n<p class=\"muted\">Rules by tactic and technique, with their outcomes.</p>\n"
      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"ATT&amp;CK matrix\"><div class=\"matrix\">\n";
  for (const auto tactic : kTactics) {
    const auto found = tactics.find(std::string(tactic));
    if (found == tactics.end()) continue;
    out += tactic_column(found->first, found->second);
    tactics.erase(found);
  }
  for (const auto& [tactic, techniques] : tactics) out += tactic_column(tactic, techniques);
  return out + "</div></div>\n";
}

std::string html_horizons(const std::map<std::string, std::map<Outcome, std::int64_t>>& counts, std::string_view what,
                          std::span<const Outcome> outcomes) {
  std::string out =
      concat({"<h2>Now, as configured, after a reboot</h2>\n<div class=\"scroll\" tabindex=\"0\" "
              "role=\"region\" aria-label=\"Horizons\"><table><thead><tr><th scope=\"col\">",
              html_text(what), "</th>"});
  for (const auto outcome : outcomes)
    out += concat({"<th scope=\"col\" class=\"number\">", in_words(to_string(outcome)), "</th>"});
  out += "</tr></thead><tbody>\n";
  for (const auto& [name, label] :
       {std::pair{"now", "now"}, std::pair{"persistent", "as configured"}, std::pair{"next_boot", "after a reboot"}}) {
    const auto found = counts.find(name);
    out += concat({"<tr><th scope=\"row\">", label, "</th>"});
    for (const auto outcome : outcomes) {
      const auto count = found == counts.end() ? 0 : count_of(found->second, outcome);
      out += concat({"<td class=\"number\">", std::to_string(count), "</td>"});
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string html_row(const RowFinding& row, std::string_view message, std::string_view more) {
  std::string out = concat({"<div class=\"row\">", html_badge(row.outcome), " "});
  if (!row.file.empty())
    out += concat(
        {"<span class=\"place\">", html_text(row.file), row.line > 0 ? ":" + std::to_string(row.line) : "", "</span>"});
  out += concat({"<p class=\"message\">", html_text(message), "</p>"});
  if (!row.detail.empty() && message.find(row.detail) == std::string_view::npos)
    out += concat({"<p class=\"message\">", html_text(row.detail), "</p>"});
  out += concat({"<dl><dt>subject</dt><dd>", html_text(row.subject), "</dd>"});
  for (const auto& cell : row.evidence)
    out += concat({"<dt>", html_text(cell.name), "</dt><dd>", html_text(evidence_text(cell)), "</dd>"});
  out += concat({"<dt>fingerprint</dt><dd><code>", html_text(row.fingerprint), "</code></dd></dl>"});
  return out + concat({html_waiver(row.waiver), more, "</div>\n"});
}

std::string html_waiver(const std::optional<AppliedWaiver>& waiver) {
  return waiver ? concat({"<p class=\"reason\">", html_text(waiver_sentence(*waiver)), "</p>"}) : std::string();
}

std::string html_advice(const RuleFinding& finding) {
  const Rule& rule = finding.rule;
  std::string out = concat({"<dl><dt>why</dt><dd>", html_text(rule.why), "</dd><dt>fix</dt><dd>"});
  if (!rule.fix.action.empty())
    out += concat(
        {"<code>gpuharden apply --check ", html_text(rule.id), "</code> (risk: ", html_text(rule.fix.risk), ") "});
  out += html_text(rule.manual) + "</dd>";
  for (const auto& reference : finding.attack)
    out += concat({"<dt>ATT&amp;CK</dt><dd>", html_text(reference.id), " ", html_text(reference.name), "</dd>"});
  for (const auto& id : rule.atlas) out += concat({"<dt>ATLAS</dt><dd>", html_text(id), "</dd>"});
  for (const auto& reference : rule.references) out += concat({"<dt>see</dt><dd>", link(reference), "</dd>"});
  return out + "</dl>\n";
}

}  // namespace gpuharden
