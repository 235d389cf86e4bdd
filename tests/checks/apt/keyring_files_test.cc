// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/apt/keyring_files.h"

#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

constexpr const char* kCudaKey = "EB693B3035CD5710E231E123A4B469963BF863CC";
constexpr const char* kOldCuda = "AE09FE4BBD223A84B2CCFCE3F60F4B3D7FA2AF80";
constexpr const char* kRocm = "CA8BB4727A47B4D09B4EE8969386B48A1A693C5C";
constexpr const char* kStranger = "0000000000000000000000000000000000000000";

KeyringPlace named(const char* file, const char* vendor, const char* host) {
  KeyringPlace place;
  place.file = file;
  place.scope = KeyringScope::kNamed;
  if (*vendor != '\0') place.vendors.insert(vendor);
  place.hosts.insert(host);
  place.is_referenced = true;
  return place;
}

TEST(KeyringPin, KnowsTheVendorsKeys) {
  const auto cuda = named("/k.gpg", "nvidia", "developer.download.nvidia.com");
  EXPECT_EQ(pin_of(cuda, kCudaKey), "pinned");
  EXPECT_EQ(pin_of(cuda, kOldCuda), "retired");
  EXPECT_EQ(pin_of(cuda, kRocm), "foreign");
  EXPECT_EQ(pin_of(cuda, kStranger), "foreign");
}

TEST(KeyringPin, ExpectsNothingWhereNoKeyIsKnown) {
  EXPECT_EQ(pin_of(named("/k.gpg", "amd", "repo.amd.com"), kStranger), "unknown");
  EXPECT_EQ(pin_of(named("/k.gpg", "nvidia", "mirror.example.invalid"), kCudaKey), "pinned");
  EXPECT_EQ(pin_of(KeyringPlace{}, kOldCuda), "retired");
}

TEST(KeyringFormat, DependsOnPlaceNameAndContent) {
  KeyringPlace global;
  global.scope = KeyringScope::kGlobal;
  global.file = "/etc/apt/trusted.gpg.d/a.key";
  EXPECT_FALSE(judge_format(global, KeyringContainer::kArmored).read_by_apt);
  global.file = "/etc/apt/trusted.gpg.d/a.asc";
  EXPECT_EQ(judge_format(global, KeyringContainer::kArmored).problem, "");
  EXPECT_FALSE(judge_format(global, KeyringContainer::kKeybox).read_by_apt);
  const auto named_gpg = named("/k.gpg", "", "a");
  EXPECT_EQ(judge_format(named_gpg, KeyringContainer::kBinary).problem, "");
  EXPECT_EQ(judge_format(named_gpg, KeyringContainer::kArmored).problem,
            "armoured, but named .gpg: apt 2 cannot read it");
  EXPECT_EQ(judge_format(named("/k", "", "a"), KeyringContainer::kArmored).problem, "");
}

}  // namespace
}  // namespace gpuharden::test
