// SPDX-License-Identifier: GPL-2.0-or-later
// Where rules come from, and whom they can be trusted from.
#include "engine/rules/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/rules/selection.h"
#include "tests/support/capture.h"
#include "tests/support/case_file.h"

namespace gpuharden::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kRule = R"(title: A
severity: low
maturity: stable
attack: [T1222.002]
why: Because.
query: SELECT id AS subject, 1 AS ok FROM os_release
message: "{subject}"
none: Nothing there
manual: Do it.
references: ["https://example.org/"]
)";

// An installed tree as a capture, whose owners and modes a test can choose.
class CatalogTest : public testing::Test {
 protected:
  CatalogTest() {
    capture_.file("/usr/share/gpuharden/rules/a/shipped.yaml", kRule)
        .file("/usr/share/gpuharden/rules/reference/attack.tsv",
              "T1222.002\tLinux and Mac Permissions\tdefense-impairment\tactive\t\n")
        .file("/usr/share/gpuharden/rules/reference/atlas.tsv", "")
        .file("/usr/share/gpuharden/policies/baseline.yaml", "title: All\nselect: [\"*\"]\n");
    places_.rules = "/usr/share/gpuharden/rules";
    places_.policies = "/usr/share/gpuharden/policies";
    places_.overrides = "/etc/gpuharden";
  }
  Catalog load() {
    host_ = capture_.open();
    diagnostics_.clear();
    return load_catalog(places_, host_->files(), diagnostics_);
  }
  Capture capture_;
  CatalogPlaces places_;
  std::unique_ptr<Host> host_;
  std::vector<Diagnostic> diagnostics_;
};

TEST_F(CatalogTest, ReadsTheInstalledRules) {
  const Catalog catalog = load();
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(catalog.rules.size(), 1U);
  EXPECT_EQ(catalog.trust, "shipped");
}

TEST_F(CatalogTest, AnOverrideReplacesAndIsTold) {
  capture_.file("/etc/gpuharden/rules.d/a/shipped.yaml", std::string(kRule) + "# mine\n");
  const Catalog catalog = load();
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(catalog.rules.size(), 1U);
  EXPECT_EQ(catalog.trust, "overridden");
  EXPECT_THAT(catalog.warnings, testing::ElementsAre(HasSubstr("a.shipped is replaced by /etc/gpuharden/rules.d")));
}

constexpr std::string_view kFloors =
    "title: A\nscheme: dotted\nas_of: 2026-08-18\nfloors:\n"
    "  - {branch: \"2\", fixed: 2.5, eol: 2027-01, cves: [CVE-2026-1], advisory: A, source: "
    "\"https://example.org/\"}\n";

TEST_F(CatalogTest, FloorsAreCompiledAndCoveredByTheDigest) {
  const std::string without = load().digest;
  capture_.file("/usr/share/gpuharden/rules/floors/driver.yaml", kFloors);
  const Catalog parsed = load();
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(parsed.rules.size(), 1U) << "a file of floors is no rule";
  EXPECT_NE(parsed.digest, without);
  const auto again = read_compiled(
      write_compiled({"0", parsed.digest, {}, parsed.rules, parsed.policies, parsed.techniques, parsed.floors}));
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->floors.size(), 1U);
  EXPECT_EQ(again->floors[0].component, "driver");
  EXPECT_EQ(again->floors[0].as_of, "2026-08-18");
  EXPECT_EQ(again->floors[0].floors.at(0).fixed, "2.5");
  EXPECT_EQ(again->floors[0].floors.at(0).eol, "2027-01-31");
}

TEST_F(CatalogTest, NewerFloorsOfAnAdministratorReplaceTheShippedOnes) {
  capture_.file("/usr/share/gpuharden/rules/floors/driver.yaml", kFloors)
      .file("/etc/gpuharden/floors.d/driver.yaml", std::string(kFloors) + "# newer\n");
  const Catalog catalog = load();
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(catalog.floors.size(), 1U);
  EXPECT_EQ(catalog.trust, "overridden");
  EXPECT_THAT(catalog.warnings,
              testing::ElementsAre(HasSubstr("the floors of driver are replaced by /etc/gpuharden/floors.d")));
}

TEST_F(CatalogTest, FloorsThatOthersCanChangeAreRefused) {
  capture_.file("/etc/gpuharden/floors.d/driver.yaml", kFloors)
      .yaml("paths: {/etc/gpuharden/floors.d/driver.yaml: {uid: 1000}}");
  load();
  ASSERT_THAT(diagnostics_, testing::Not(IsEmpty()));
  EXPECT_EQ(diagnostics_[0].code, "untrusted");
}

TEST_F(CatalogTest, RulesThatOthersCanChangeAreRefused) {
  capture_.yaml("paths: {/usr/share/gpuharden/rules: {mode: \"0777\"}}");
  load();
  ASSERT_THAT(diagnostics_, testing::Not(IsEmpty()));
  EXPECT_EQ(diagnostics_[0].code, "untrusted");
}

TEST_F(CatalogTest, OverridesThatOthersCanChangeAreRefused) {
  capture_.file("/etc/gpuharden/rules.d/a/more.yaml", kRule)
      .yaml("paths: {/etc/gpuharden/rules.d/a/more.yaml: {uid: 1000}}");
  load();
  ASSERT_THAT(diagnostics_, testing::Not(IsEmpty()));
  EXPECT_THAT(diagnostics_[0].sentence, HasSubstr("belongs to uid 1000"));
}

TEST_F(CatalogTest, AFolderNamedByAnOptionIsUsedWithAWarning) {
  capture_.file("/srv/rules/b/mine.yaml", kRule).yaml("paths: {/srv/rules: {uid: 1000}}");
  places_.extra_rules = {"/srv/rules"};
  const Catalog catalog = load();
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(catalog.rules.size(), 2U);
  EXPECT_EQ(catalog.trust, "option");
  EXPECT_THAT(catalog.warnings, testing::ElementsAre(HasSubstr("/srv/rules")));
}

TEST_F(CatalogTest, NoRulesIsAFault) {
  places_.rules = "/nowhere";
  load();
  EXPECT_THAT(diagnostics_, testing::Not(IsEmpty()));
}

TEST_F(CatalogTest, WhatIsCompiledIsWhatWasWritten) {
  host_ = capture_.open();
  std::vector<CompiledSource> sources;
  const Catalog parsed = parse_catalog(places_, host_->files(), diagnostics_, sources);
  const auto again = read_compiled(
      write_compiled({"0", parsed.digest, sources, parsed.rules, parsed.policies, parsed.techniques, parsed.floors}));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->sources, sources);
  EXPECT_EQ(again->rules.at(0).queries.at(0).sql, parsed.rules.at(0).queries.at(0).sql);
  EXPECT_EQ(again->rules.at(0).place, parsed.rules.at(0).place);
  EXPECT_EQ(again->digest, parsed.digest);
}

TEST_F(CatalogTest, ABrokenCompiledFileIsNotUsed) {
  const std::string bytes = write_compiled({"0", "d", {}, {}, {}, {}, {}});
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read_compiled(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(read_compiled("\xc0"));
}

TEST(ShippedCatalog, HasThirtyRulesAndTwoForEachTechniqueOfTheGuide) {
  const Catalog& catalog = shipped_catalog();
  EXPECT_GE(catalog.rules.size(), 30U);
  for (const std::string id :
       {"T1068", "T1547.006", "T1195.002", "T1574", "T1546.004", "T1078.003", "T1046", "T1652"}) {
    const auto count = std::count_if(catalog.rules.begin(), catalog.rules.end(), [&](const Rule& rule) {
      // A sub-technique of T1574 is a T1574.
      return std::any_of(rule.attack.begin(), rule.attack.end(),
                         [&](const std::string& own) { return own == id || own.starts_with(id + "."); });
    });
    EXPECT_GE(count, 2) << id;
  }
  std::vector<Diagnostic> diagnostics;
  lint_policies(catalog, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
}

}  // namespace
}  // namespace gpuharden::test
