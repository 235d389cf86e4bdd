// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/base/version.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

int sign(std::optional<int> order) { return order ? (*order > 0) - (*order < 0) : 99; }
int dpkg(std::string_view a, std::string_view b) { return sign(compare_versions(VersionScheme::kDpkg, a, b)); }
int dotted(std::string_view a, std::string_view b) { return sign(compare_versions(VersionScheme::kDotted, a, b)); }
int semver(std::string_view a, std::string_view b) { return sign(compare_versions(VersionScheme::kSemver, a, b)); }
int pep440(std::string_view a, std::string_view b) { return sign(compare_versions(VersionScheme::kPep440, a, b)); }

TEST(Version, DpkgOrder) {
  EXPECT_EQ(dpkg("1.0~rc1-1", "1.0-1"), -1);
  EXPECT_EQ(dpkg("5:24.0.5-1", "28.0.0"), 1) << "an epoch wins";
  EXPECT_EQ(dpkg("535.183.01-0ubuntu1", "535.183.1-0ubuntu1"), 0);
  EXPECT_EQ(dpkg("1.0", "1.0-0"), 0);
  EXPECT_EQ(dpkg("1.0a", "1.0+"), -1) << "letters before other characters";
  EXPECT_EQ(dpkg("2.6.2ubuntu1", "2.6.10"), -1);
  EXPECT_EQ(dpkg("1.2-3-1", "1.2-3-2"), -1) << "the last dash ends the upstream part";
}

TEST(Version, WhatIsNotOfTheSchemeIsNeitherOldNorNew) {
  EXPECT_EQ(dpkg("unknown", "1.0"), 99);
  EXPECT_EQ(dpkg("(devel)", "1.0"), 99);
  EXPECT_EQ(dpkg("", "1.0"), 99);
  EXPECT_EQ(dotted("535.183.01-0ubuntu1", "535"), 99);
  EXPECT_EQ(semver("latest", "1.0.0"), 99);
  EXPECT_EQ(pep440("2.4.0.unknown", "2.4.0"), 99);
}

TEST(Version, DottedComparesNumbers) {
  EXPECT_EQ(dotted("535.183.01", "535.216.01"), -1);
  EXPECT_EQ(dotted("570.86.15", "570.133.07"), -1);
  EXPECT_EQ(dotted("7.2", "7.2.0"), 0);
  EXPECT_EQ(dotted("7.14", "7.2.4"), 1);
}

TEST(Version, SemverPrereleases) {
  EXPECT_EQ(semver("1.0.0-alpha.2", "1.0.0-alpha.10"), -1);
  EXPECT_EQ(semver("1.0.0-alpha.1", "1.0.0-alpha"), 1);
  EXPECT_EQ(semver("1.0.0-rc.1", "1.0.0"), -1);
  EXPECT_EQ(semver("v1.17.8+build5", "1.17.8"), 0);
}

TEST(Version, Pep440Phases) {
  EXPECT_EQ(pep440("0.31.0rc1", "0.31.0"), -1);
  EXPECT_EQ(pep440("2.4.0.dev20240501", "2.4.0a1"), -1);
  EXPECT_EQ(pep440("2.4.0", "2.4.0.post1"), -1);
  EXPECT_EQ(pep440("2.4.0+cu121", "2.4.0+rocm6.2"), 0);
  EXPECT_EQ(pep440("1!1.0", "2.0"), 1);
  EXPECT_EQ(pep440("1.0-beta.2", "1.0b2"), 0);
}

TEST(Version, ABranchIsTheFirstNumbersOfItsVersions) {
  EXPECT_TRUE(is_in_branch("7.2", "7.2"));
  EXPECT_TRUE(is_in_branch("7.2.1", "7.2"));
  EXPECT_TRUE(is_in_branch("v1.17.8-rc.1", "1.17"));
  EXPECT_TRUE(is_in_branch("0.31.0rc1", "0.31.0"));
  EXPECT_FALSE(is_in_branch("7.20.1", "7.2"));
  EXPECT_FALSE(is_in_branch("17.2", "7.2"));
  EXPECT_TRUE(is_in_branch("anything", "")) << "the empty branch holds every version";
}

TEST(Version, UpstreamDropsEpochAndRevision) {
  EXPECT_EQ(upstream_version("1:535.183.01-0ubuntu0.24.04.1"), "535.183.01");
  EXPECT_EQ(upstream_version("7.2.1"), "7.2.1");
  EXPECT_EQ(upstream_version("none"), "");
}

}  // namespace
}  // namespace gpuharden
