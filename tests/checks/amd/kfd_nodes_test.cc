// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/amd/kfd_topology.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kNodes = "/sys/class/kfd/kfd/topology/nodes/";

std::string node(std::string_view rest) { return std::string(kNodes) + std::string(rest); }

TEST(KfdTopology, PropertiesAreNamesAndNumbers) {
  const auto properties = parse_kfd_properties("cpu_cores_count 0\nsimd_count 192\nunique_id 18446744073709551615\n");
  EXPECT_FALSE(properties.malformed);
  EXPECT_EQ(properties.find("simd_count"), 192U);
  EXPECT_EQ(properties.find("unique_id"), 18446744073709551615U);
  EXPECT_EQ(properties.find("vendor_id"), std::nullopt);
}

TEST(KfdTopology, WhatIsNoPropertyIsTold) {
  for (const auto* text : {"simd_count", "simd_count -1", "simd_count 1 2", "simd_count 99999999999999999999"})
    EXPECT_TRUE(parse_kfd_properties(text).malformed) << text;
  EXPECT_FALSE(parse_kfd_properties("").malformed);
}

TEST(KfdTopology, TargetVersionsAreNames) {
  EXPECT_EQ(gfx_name(90010), "gfx90a");
  EXPECT_EQ(gfx_name(90402), "gfx942");
  EXPECT_EQ(gfx_name(100306), "gfx1036");
  EXPECT_EQ(gfx_name(110001), "gfx1101");
  EXPECT_EQ(gfx_name(120001), "gfx1201");
  EXPECT_EQ(gfx_name(0), std::nullopt);
  EXPECT_EQ(gfx_name(119999), std::nullopt);
  EXPECT_EQ(gfx_name(~std::uint64_t{0}), std::nullopt);
}

TEST(KfdNodesProbe, TellsProcessorsFromGpus) {
  Capture capture;
  capture.tree("tests/data/amd/c160");
  const auto table = read_table(*capture.open(), "kfd_nodes");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(table.gaps, IsEmpty());
  EXPECT_EQ(table.rows[0].at("is_gpu"), "0");
  EXPECT_EQ(table.rows[0].at("gfx"), "NULL");
  EXPECT_EQ(table.rows[1].at("gfx"), "gfx1100");
  EXPECT_EQ(table.rows[2].at("gfx"), "gfx1036");
}

TEST(KfdNodesProbe, NodesComeInTheOrderOfTheirNumbers) {
  Capture capture;
  for (const auto* number : {"10", "2"}) {
    capture.file(node(number) + "/properties", "simd_count 4\ngfx_target_version 90010\nunique_id 255\n");
    capture.file(node(number) + "/name", "aldebaran\n");
  }
  const auto table = read_table(*capture.open(), "kfd_nodes");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].at("node"), "2");
  EXPECT_EQ(table.rows[1].at("name"), "aldebaran");
  EXPECT_EQ(table.rows[1].at("unique_id"), "00000000000000ff");
}

TEST(KfdNodesProbe, WithoutTheDriverThereIsNoNode) {
  Capture capture;
  const auto table = read_table(*capture.folder("/sys/class").open(), "kfd_nodes");
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST(KfdNodesProbe, WithoutSysfsNothingIsKnown) {
  EXPECT_THAT(read_table(*Capture().open(), "kfd_nodes").gap_words(), ElementsAre("* * not-found"));
  Capture image;
  image.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*image.open_image(), "kfd_nodes").gap_words(), ElementsAre("* * not-held"));
}

TEST(KfdNodesProbe, PropertiesThatCannotBeReadAreGaps) {
  Capture capture;
  capture.file(node("0/properties"), "simd_count 4\n")
      .yaml("paths: {" + node("0/properties") + ": {error: permission}}");
  const auto table = read_table(*capture.open(), "kfd_nodes");
  EXPECT_EQ(table.rows.at(0).at("gfx"), "UNREAD");
  EXPECT_THAT(table.gap_words(), testing::Contains("0 gfx permission"));
}

TEST(KfdNodesProbe, HostileBytesAreAGapAndNoCrash) {
  Capture capture;
  capture.file(node("0/properties"), std::string("simd_count\0 4\n\xff\xfe gfx", 20));
  EXPECT_THAT(read_table(*capture.open(), "kfd_nodes").gap_words(), testing::Contains("0 * malformed"));
}

}  // namespace
}  // namespace gpuharden::test
