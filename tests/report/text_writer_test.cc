// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/base/text.h"
#include "tests/report/sample.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(TextWriter, IsWorstFirstWithThePlaceBeforeTheProse) {
  EXPECT_EQ(write_text(sample_report(), {}), read_source("tests/golden/sample.2.text"));
}

TEST(TextWriter, FitsEightyColumns) {
  const std::string text = write_text(sample_report(), {});
  for (const auto line : split(text, '\n')) {
    // A path is never broken; everything else is.
    const bool is_path = line.find("/etc/") != std::string_view::npos;
    EXPECT_TRUE(is_path || line.size() <= 80U) << line;
  }
}

TEST(TextWriter, HasNoColorUnlessAsked) {
  EXPECT_THAT(write_text(sample_report(), {}), Not(HasSubstr("\x1b")));
  WriterOptions color;
  color.color = true;
  EXPECT_THAT(write_text(sample_report(), color), HasSubstr("\x1b["));
}

TEST(TextWriter, HostileTextCannotDriveTheTerminal) {
  Report report = sample_report();
  report.host.name = "\x1b]0;owned\x07";
  report.rules[0].horizons[0].rows[0].message = "x\x1b[2J\u202E\r\n\x9b";
  report.rules[0].horizons[0].rows[0].file = "/etc/a\nCRITICAL  fake";
  const std::string text = write_text(report, {});
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("\r")));
  EXPECT_THAT(text, Not(HasSubstr("\nCRITICAL  fake")));
  EXPECT_THAT(text, HasSubstr("\\x1b[2J"));
}

TEST(TextWriter, SaysOnceWhatManyRulesLack) {
  Report report = sample_report();
  auto other = *std::find_if(report.rules.begin(), report.rules.end(),
                             [](const auto& finding) { return finding.outcome == Outcome::kUnknown; });
  other.rule.id = "env.umask";
  report.rules.push_back(other);
  EXPECT_THAT(write_text(report, {}), HasSubstr("UNKNOWN   /home/alice is on nfs4 and was not entered\n"
                                                "          2 rules: env.startup-file-type, env.umask\n"));
}

// A rule that fails may also not know: mending what fails must not be the first that is heard of it.
TEST(TextWriter, ShowsWhatAFailingRuleDoesNotKnow) {
  Report report = sample_report();
  auto& horizons = report.rules[0].horizons;
  RowFinding blind = horizons[0].rows[0];
  blind.outcome = Outcome::kUnknown;
  blind.message = "ollama.service: its environment cannot be read";
  horizons[0].rows.push_back(blind);
  horizons[0].counts[Outcome::kUnknown] = 3;
  horizons[0].gaps = {{"env_assignments", "/root", "*", ErrorCode::kPermission, "reading /root: permission denied"}};
  horizons.push_back({"next_boot", Outcome::kError, "reading table modules: too large", {}, {}, {}});
  const std::string text = write_text(report, {});
  for (const auto* part :
       {"now: unknown: ollama.service: its", "now: unknown: 2 more that are unknown",
        "next boot: error: reading table modules: too large", "now: not read: reading /root: permission denied"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(TextWriter, VerboseShowsWhatPasses) {
  WriterOptions verbose;
  verbose.verbosity = 1;
  const std::string text = write_text(sample_report(), verbose);
  for (const auto* word : {"PASS", "NOT APPLICABLE", "WAIVED", "NOT EVALUATED", "No DKMS module", "owner = mallory\n",
                           "fingerprint 0123456789abcdef0123456789abcdef\n"})
    EXPECT_THAT(text, HasSubstr(word));
}

}  // namespace
}  // namespace gpuharden::test
