// SPDX-License-Identifier: GPL-2.0-or-later
// Every fault of a file of floors at once, with its place.
#include "engine/rules/floor_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kGood = R"(title: A driver
scheme: dotted
as_of: 2026-08-18
floors:
  - branch: "580"
    fixed: 580.159.03
    eol: 2028-08
    advisory: NVIDIA 5821
    published: 2026-05-21
    cves: [CVE-2026-24187]
    source: https://example.org/
  - branches: ["550", "570"]
    devices: [gfx1201, gfx942]
    status: ended
    advisory: NVIDIA 5821
    source: https://example.org/
  - {distribution: ubuntu 24.04, fixed: 1:580.1-0ubuntu1~24, advisory: USN-1, source: "https://example.org/"}
)";

struct Loaded {
  FloorFile file;
  std::vector<Diagnostic> diagnostics;
  std::vector<std::string> codes() const {
    std::vector<std::string> out;
    for (const auto& diagnostic : diagnostics) out.push_back(diagnostic.code);
    return out;
  }
};

Loaded load(std::string_view text) {
  Loaded out;
  out.file = load_floors("driver", "rules/floors/driver.yaml", text, out.diagnostics);
  return out;
}

Loaded replaced(std::string_view from, std::string_view to) {
  std::string text(kGood);
  text.replace(text.find(from), from.size(), to);
  return load(text);
}

TEST(FloorLoader, ReadsAFile) {
  const auto loaded = load(kGood);
  EXPECT_THAT(loaded.diagnostics, IsEmpty());
  EXPECT_EQ(loaded.file.as_of, "2026-08-18");
  ASSERT_EQ(loaded.file.floors.size(), 6U) << "a floor for each branch and device of a set";
  EXPECT_EQ(loaded.file.floors[0].fixed, "580.159.03");
  EXPECT_EQ(loaded.file.floors[0].eol, "2028-08-31") << "a month means its last day";
  EXPECT_EQ(loaded.file.floors[4].branch, "570");
  EXPECT_EQ(loaded.file.floors[4].device, "gfx942");
  EXPECT_EQ(loaded.file.floors[4].status, FloorStatus::kEnded);
  EXPECT_EQ(loaded.file.floors[5].scheme, "dpkg") << "a distribution packs versions of its own";
}

TEST(FloorLoader, AMisspelledKeyHasItsPlaceAndASuggestion) {
  const auto loaded = replaced("    fixed: 580", "    fixt: 580");
  ASSERT_THAT(loaded.codes(), Contains("unknown-key"));
  const auto& diagnostic = loaded.diagnostics.front();
  EXPECT_EQ(diagnostic.place.line, 6U);
  EXPECT_EQ(diagnostic.place.column, 5U);
  EXPECT_THAT(diagnostic.sentence, HasSubstr("did you mean \"fixed\"?"));
}

TEST(FloorLoader, EveryFaultIsTold) {
  EXPECT_THAT(replaced("580.159.03", "580.x").codes(), ElementsAre("bad-version"));
  EXPECT_THAT(replaced("580.159.03", "570.211.01").codes(), ElementsAre("other-branch"));
  EXPECT_THAT(replaced("2026-08-18", "2026-02-30").codes(), ElementsAre("bad-date"));
  EXPECT_THAT(replaced("2028-08", "next year").codes(), ElementsAre("bad-date"));
  EXPECT_THAT(replaced("2026-08-18", "2026-01-01").codes(), ElementsAre("bad-date")) << "before its own advisory";
  EXPECT_THAT(replaced("status: ended", "status: endet").codes(), Contains("unknown-word"));
  EXPECT_THAT(replaced("CVE-2026-24187", "CVE-24187").codes(), ElementsAre("bad-cve"));
  EXPECT_THAT(replaced("source: https", "source: http").codes(), ElementsAre("bad-reference"));
  EXPECT_THAT(replaced("scheme: dotted\n", "").codes(), Contains("missing-key"));
  EXPECT_THAT(replaced("    advisory: NVIDIA 5821\n", "").codes(), ElementsAre("missing-key"));
  EXPECT_THAT(replaced("[gfx1201, gfx942]", "[]").codes(), ElementsAre("wrong-type"));
}

TEST(FloorLoader, AFloorThatSaysNothingIsAFault) {
  EXPECT_THAT(replaced("    status: ended\n", "").codes(), Contains("missing-key"));
}

TEST(FloorLoader, AVersionMustNotFindTwoFloors) {
  EXPECT_THAT(replaced("[\"550\", \"570\"]", "[\"570\", \"570.1\"]").codes(), Contains("overlapping-floors"));
  EXPECT_THAT(replaced("[\"550\", \"570\"]", "[\"57\", \"570\"]").diagnostics, IsEmpty()) << "570 is not of branch 57";
}

TEST(FloorLoader, NoFloorsIsAFault) {
  EXPECT_THAT(load("title: A\nscheme: dotted\nas_of: 2026-08-18\nfloors: []\n").codes(), ElementsAre("no-floors"));
  EXPECT_THAT(load("").codes(), ElementsAre("wrong-type"));
  EXPECT_THAT(load("title: [").codes(), ElementsAre("yaml"));
}

TEST(FloorLoader, AComponentIsAFilesName) {
  EXPECT_EQ(floor_component("nvidia-driver.yaml"), "nvidia-driver");
  EXPECT_EQ(floor_component("NVIDIA.yaml"), "");
  EXPECT_EQ(floor_component(".yaml"), "");
  EXPECT_EQ(floor_component("driver.yml"), "");
}

}  // namespace
}  // namespace gpuharden
