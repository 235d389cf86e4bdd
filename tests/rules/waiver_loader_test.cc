// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/date.h"
#include "engine/rules/waiver_loader.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

// "line: code" of each fault.
std::vector<std::string> faults(const std::string& text) {
  std::vector<Diagnostic> diagnostics;
  load_waivers("w.yaml", text, diagnostics);
  std::vector<std::string> out;
  for (const auto& each : diagnostics) out.push_back(std::to_string(each.place.line) + ": " + each.code);
  return out;
}

TEST(WaiverLoader, ReadsEveryKey) {
  std::vector<Diagnostic> diagnostics;
  const auto waivers = load_waivers("w.yaml",
                                    "waivers:\n"
                                    "  - rule: ports.ollama\n"
                                    "    reason: behind the rack's firewall\n"
                                    "    owner: alice@example.org\n"
                                    "    expires: 2027-01-31\n"
                                    "    subject: '*:11434'\n"
                                    "    file: /etc/ollama/*\n"
                                    "    host: gpu-*\n"
                                    "    horizon: next_boot\n"
                                    "  - {rule: env.umask, reason: r, owner: o, expires: 2027-12-31}\n",
                                    diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  ASSERT_EQ(waivers.size(), 2U);
  EXPECT_EQ(waivers[0].subject, "*:11434");
  EXPECT_EQ(waivers[0].file, "/etc/ollama/*");
  EXPECT_EQ(waivers[0].host, "gpu-*");
  EXPECT_EQ(waivers[0].horizon, "next_boot");
  EXPECT_EQ(format_date(waivers[0].expires), "2027-01-31");
  EXPECT_EQ(waivers[0].place.line, 2U);
  EXPECT_FALSE(waivers[0].covers_whole_rule());
  EXPECT_TRUE(waivers[1].covers_whole_rule());
}

TEST(WaiverLoader, EveryFaultIsNamedAtOnce) {
  EXPECT_THAT(faults("waivers:\n  - rule: a.b\n    reason: r\n"),
              UnorderedElementsAre("2: missing-key", "2: missing-key"));
  EXPECT_THAT(
      faults("waivers:\n  - {rule: a.b, reason: '', owner: o, expires: 2027-02-30, hosts: x, horizon: later}\n"),
      UnorderedElementsAre("2: empty", "2: wrong-date", "2: unknown-key", "2: unknown-word"));
}

// Each of these could otherwise be a waiver that covers more, or lasts longer, than its author thinks.
TEST(WaiverLoader, RefusesWhatCouldCoverMore) {
  const std::string rest = "rule: a.b, reason: r, owner: o, ";
  EXPECT_THAT(faults("waivers: [{" + rest + "expires: never}]"), Contains("1: wrong-date"));
  EXPECT_THAT(faults("waivers: [{" + rest + "expires: 2027-01}]"), Contains("1: wrong-date"));
  EXPECT_THAT(faults("waivers: [{" + rest + "expires: 2027-01-31, subject: ''}]"), Contains("1: empty"));
  EXPECT_THAT(faults("waivers: [{" + rest + "expires: 2027-01-31, subject: [a]}]"), Contains("1: wrong-type"));
  EXPECT_THAT(faults("waivers: [{" + rest + "expires: 2027-01-31, expires: 2028-01-31}]"), Contains("1: yaml"));
  for (const auto* text : {"", "[]", "waivers: x", "waivers: [x]", "waiver: []", "- rule: a.b"})
    EXPECT_FALSE(faults(text).empty()) << text;
}

}  // namespace
}  // namespace gpuharden::test
