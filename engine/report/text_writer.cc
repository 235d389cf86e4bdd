// SPDX-License-Identifier: GPL-2.0-or-later
// The report for someone at a terminal at night: worst first, the place before the prose.
#include <algorithm>
#include <set>

#include "engine/base/text.h"
#include "engine/report/items.h"
#include "engine/report/words.h"
#include "engine/report/writer.h"

namespace gpuharden {
namespace {

constexpr std::size_t kRowsShown = 8;
constexpr std::size_t kGapsShown = 5;

std::string upper(std::string_view word) {
  std::string out(word);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '-' ? ' ' : c;
  });
  return out;
}

class TextWriter {
 public:
  TextWriter(const Report& report, const WriterOptions& options) : report_(report), options_(options) {}

  std::string write() {
    header();
    for (const auto& finding : report_.rules) {
      if (finding.outcome == Outcome::kFail) failed(finding);
    }
    undecided();
    waived();
    if (options_.verbosity > 0) decided();
    summary();
    return std::move(out_);
  }

 private:
  std::string paint(std::string_view text, std::string_view code) const {
    return options_.color ? concat({"\x1b[", code, "m", text, "\x1b[0m"}) : std::string(text);
  }

  // Words of `text`, broken at the width, after `first` on the first line and `indent` on the others.
  // An explicit line break stays one.
  void wrap(std::string_view first, std::size_t indent, std::string_view text) {
    const std::string margin(indent, ' ');
    std::string line(first);
    bool has_words = false;
    for (const auto word : split_words(text)) {
      const std::string safe = escape_for_terminal(word);
      if (has_words && columns_of(line) + 1 + columns_of(safe) > options_.width) {
        out_ += line + "\n";
        line = margin;
        has_words = false;
      }
      if (has_words) line += ' ';
      line += safe;
      has_words = true;
    }
    out_ += line + "\n";
  }

  void header() {
    const auto& host = report_.host;
    std::string line = escape_for_terminal(host.name.empty() ? "unnamed host" : host.name);
    std::string system = escape_for_terminal(host.os);
    if (!host.kernel.empty()) system += concat({system.empty() ? "" : ", ", escape_for_terminal(host.kernel)});
    if (!system.empty()) line += "   " + system;
    if (host.kind != "live") line += concat({"   (", escape_for_terminal(host.kind), ")"});
    out_ += concat({line, "   profile ", escape_for_terminal(report_.profile), "\n"});
    for (const auto& warning : report_.warnings) wrap("note  ", 6, warning);
    out_ += "\n";
  }

  void heading(const RuleFinding& finding, std::string_view word, std::string_view color) {
    std::string line = concat({paint(pad(word, 9), color), " ", paint(finding.rule.id, "1")});
    for (const auto& reference : finding.attack) line += concat({"   ", reference.id, " ", reference.name});
    if (!options_.color && columns_of(line) > options_.width) {
      line = concat({pad(word, 9), " ", finding.rule.id});
      out_ += line + "\n";
      for (const auto& reference : finding.attack)
        out_ += concat({"          ", reference.id, " ", reference.name, "\n"});
      return;
    }
    out_ += line + "\n";
  }

  // "now pass, next boot FAIL", where the horizons differ.
  void horizons(const RuleFinding& finding) {
    if (finding.horizons.size() < 2) return;
    std::vector<std::string> words;
    for (const auto& horizon : finding.horizons) {
      const std::string outcome(to_string(horizon.outcome));
      words.push_back(
          concat({in_words(horizon.name), " ", horizon.outcome == Outcome::kFail ? upper(outcome) : outcome}));
    }
    wrap("  ", 2, join(words, ", "));
  }

  void row(const RowFinding& row, std::string_view prefix) {
    if (!row.file.empty()) {
      out_ += concat({"  ", escape_for_terminal(row.file), row.line > 0 ? ":" + std::to_string(row.line) : "", "\n"});
    }
    const std::string_view indent = row.file.empty() ? "  " : "    ";
    wrap(indent, indent.size(), concat({prefix, row.message}));
    const bool says_more = row.message.find(row.detail) == std::string::npos;
    if (says_more) wrap("    ", 4, row.detail);
    if (options_.verbosity == 0) return;
    for (const auto& cell : row.evidence)
      wrap(concat({"      ", escape_for_terminal(cell.name), " = "}), 8, evidence_text(cell));
    wrap("      fingerprint ", 8, row.fingerprint);
  }

  void failing_rows(const RuleFinding& finding) {
    const std::size_t limit = options_.verbosity > 0 ? Report::kMaxRows : kRowsShown;
    for (const auto& horizon : finding.horizons) {
      if (horizon.outcome != Outcome::kFail) continue;
      std::size_t shown = 0;
      const std::string prefix = finding.horizons.size() > 1 ? in_words(horizon.name) + ": " : "";
      for (const auto& each : horizon.rows) {
        if (each.outcome != Outcome::kFail || shown >= limit) continue;
        row(each, prefix);
        ++shown;
      }
      const auto total = static_cast<std::size_t>(count_of(horizon.counts, Outcome::kFail));
      if (total == 0) wrap("  ", 2, concat({prefix, horizon.reason}));
      if (total > shown) out_ += concat({"  … and ", std::to_string(total - shown), " more (-v shows them)\n"});
    }
  }

  // What a failing rule could not tell besides: another horizon, other rows, what could not be read.
  void undecided_beside(const RuleFinding& finding) {
    const std::size_t limit = options_.verbosity > 0 ? Report::kMaxRows : kRowsShown;
    std::size_t count = 0;
    const auto prefix_of = [&](const HorizonFinding& horizon, std::string_view word) {
      return concat({finding.horizons.size() > 1 ? in_words(horizon.name) + ": " : "", word, ": "});
    };
    for (const auto& item : items_of(finding)) {
      if ((item.outcome != Outcome::kUnknown && item.outcome != Outcome::kError) || count++ >= limit) continue;
      const std::string prefix = prefix_of(*item.horizon, to_string(item.outcome));
      if (item.row != nullptr) {
        row(*item.row, prefix);
      } else {
        wrap("  ", 2, concat({prefix, item.message}));
      }
    }
    if (count > limit) out_ += concat({"  … and ", std::to_string(count - limit), " more that are not known\n"});
    for (const auto& horizon : finding.horizons) {
      if (horizon.outcome != Outcome::kFail || horizon.gaps.empty()) continue;
      const std::string more =
          horizon.gaps.size() == 1 ? "" : concat({", and ", std::to_string(horizon.gaps.size() - 1), " more"});
      wrap("  ", 2, concat({prefix_of(horizon, "not read"), horizon.gaps.front().sentence, more}));
    }
  }

  void failed(const RuleFinding& finding) {
    const auto severity = finding.rule.severity;
    const std::string_view color = severity >= Severity::kHigh ? "31;1" : severity == Severity::kMedium ? "33;1" : "36";
    heading(finding, upper(to_string(severity)), color);
    horizons(finding);
    failing_rows(finding);
    undecided_beside(finding);
    wrap("  why  ", 7, finding.rule.why);
    if (!finding.rule.fix.action.empty()) {
      out_ += concat({"  fix  gpuharden apply --check ", finding.rule.id, "   risk: ", finding.rule.fix.risk, "\n"});
    }
    wrap(finding.rule.fix.action.empty() ? "  fix  " : "       ", 7, finding.rule.manual);
    out_ += "\n";
  }

  // What could not be decided, and by how many rules for the same reasons: one file that cannot be read often
  // costs many rules their answer.
  struct Undecided {
    Outcome outcome = Outcome::kUnknown;
    std::vector<std::string> reasons;  // first the one that counts
    std::vector<std::string> rules;    // ids, with the horizon where a rule has several
  };

  void undecided() {
    std::vector<Undecided> groups;
    for (const auto outcome : {Outcome::kError, Outcome::kUnknown, Outcome::kNotEvaluated}) {
      // In an image most kernel facts are not there: one line each would drown the rest.
      if (outcome == Outcome::kNotEvaluated && options_.verbosity == 0) continue;
      for (const auto& finding : report_.rules) {
        if (finding.outcome == outcome) collect(finding, groups);
      }
    }
    for (const auto& group : groups) print(group);
    if (!groups.empty()) out_ += "\n";
  }

  void collect(const RuleFinding& finding, std::vector<Undecided>& groups) const {
    for (const auto& horizon : finding.horizons) {
      if (horizon.outcome != finding.outcome) continue;
      Undecided one{finding.outcome, reasons_of(horizon), {finding.rule.id}};
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const Undecided& group) {
        return group.outcome == one.outcome && group.reasons == one.reasons;
      });
      if (finding.horizons.size() > 1) one.rules[0] += concat({" (", in_words(horizon.name), ")"});
      if (same == groups.end()) {
        groups.push_back(std::move(one));
      } else {
        same->rules.push_back(std::move(one.rules[0]));
      }
    }
  }

  // The first gap is the reason; what several gaps say in the same words is said once.
  std::vector<std::string> reasons_of(const HorizonFinding& horizon) const {
    const std::size_t limit = options_.verbosity > 0 ? Report::kMaxRows : kGapsShown;
    std::vector<std::string> reasons = {horizon.reason};
    if (horizon.reason.empty() && !horizon.rows.empty()) reasons[0] = horizon.rows.front().message;
    std::set<std::string_view> said = {horizon.reason};
    std::size_t left_out = 0;
    for (const auto& gap : horizon.gaps) {
      if (!said.insert(gap.sentence).second) continue;
      if (said.size() <= limit) {
        reasons.push_back(gap.sentence);
      } else {
        ++left_out;
      }
    }
    if (left_out > 0) reasons.push_back(concat({"… and ", std::to_string(left_out), " more that could not be read"}));
    return reasons;
  }

  void print(const Undecided& group) {
    const std::string word = paint(pad(upper(to_string(group.outcome)), 9), "35");
    const bool is_alone = group.rules.size() == 1;
    wrap(concat({word, " ", is_alone ? group.rules[0] + ": " : ""}), 10, group.reasons[0]);
    for (std::size_t i = 1; i < group.reasons.size(); ++i) wrap("          ", 10, group.reasons[i]);
    if (is_alone) return;
    wrap(concat({"          ", std::to_string(group.rules.size()), " rules: "}), 10, join(group.rules, ", "));
  }

  // Somebody answers for these; who and until when is never hidden.
  void waived() {
    bool any = false;
    for (const auto& finding : report_.rules) {
      std::set<std::string> said;
      for (const auto& item : items_of(finding)) {
        if (item.waiver == nullptr) continue;
        const std::string sentence = waiver_sentence(*item.waiver);
        const std::string subject = item.row == nullptr ? std::string() : concat({" (", item.row->subject, ")"});
        if (options_.verbosity == 0 && !said.insert(sentence).second) continue;
        any = true;
        wrap(concat({paint(pad("WAIVED", 9), "36"), " ", finding.rule.id, options_.verbosity > 0 ? subject : "", ": "}),
             10, sentence);
      }
    }
    if (any) out_ += "\n";
  }

  void decided() {
    for (const auto outcome : {Outcome::kPass, Outcome::kNotApplicable}) {
      for (const auto& finding : report_.rules) {
        if (finding.outcome != outcome) continue;
        const bool not_applicable = outcome == Outcome::kNotApplicable && !finding.horizons.empty();
        wrap(concat({paint(pad(upper(to_string(outcome)), 9), "32"), " ", finding.rule.id, ": "}), 10,
             not_applicable ? finding.horizons.front().reason : finding.rule.title);
      }
    }
    out_ += "\n";
  }

  void summary() {
    const auto counts = totals(report_);
    const auto count = [&](Outcome outcome) { return std::to_string(count_of(counts, outcome)); };
    out_ += concat({"  ", count(Outcome::kFail), " fail   ", count(Outcome::kUnknown), " unknown   ",
                    count(Outcome::kPass), " pass   ", count(Outcome::kNotApplicable), " not applicable"});
    const std::string time = concat({"   ", std::to_string((report_.duration_us + 500) / 1000), " ms\n"});
    std::string rare;
    for (const auto outcome : {Outcome::kError, Outcome::kWaived, Outcome::kNotEvaluated}) {
      const std::string word = outcome == Outcome::kNotEvaluated ? "not evaluated" : std::string(to_string(outcome));
      if (count(outcome) != "0") rare += concat({rare.empty() ? "  " : "   ", count(outcome), " ", word});
    }
    out_ += rare.empty() ? time : concat({"\n", rare, time});
    if (!report_.not_selected.empty()) {
      out_ += concat({"  ", std::to_string(report_.not_selected.size()), " not selected: they need --deep\n"});
    }
    out_ += concat({"  gate: ", pad(to_string(report_.gate), 50), "exit ", std::to_string(report_.exit_code), "\n"});
  }

  const Report& report_;
  const WriterOptions& options_;
  std::string out_;
};

}  // namespace

std::string write_text(const Report& report, const WriterOptions& options) {
  return TextWriter(report, options).write();
}

}  // namespace gpuharden
