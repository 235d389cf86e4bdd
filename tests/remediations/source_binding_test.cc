// SPDX-License-Identifier: GPL-2.0-or-later
#include "remediations/source_binding.h"

#include <gtest/gtest.h>

namespace gpuharden {
namespace {

constexpr std::string_view kRing = "/etc/apt/keyrings/v.gpg";

TEST(BindLine, AddsTheOptionToThisEntryOnly) {
  EXPECT_EQ(*bind_line("deb http://a/ s c\ndeb http://b/ s c\n", "deb http://b/ s c", kRing),
            "deb http://a/ s c\ndeb [signed-by=/etc/apt/keyrings/v.gpg] http://b/ s c\n");
  EXPECT_EQ(*bind_line("deb [arch=amd64] http://b/ s\n", "deb [arch=amd64] http://b/ s", kRing),
            "deb [signed-by=/etc/apt/keyrings/v.gpg arch=amd64] http://b/ s\n");
}

TEST(BindLine, IsDoneWhereItIsBoundAlready) {
  const std::string bound = *bind_line("deb http://b/ s\n", "deb http://b/ s", kRing);
  EXPECT_EQ(*bind_line(bound, "deb http://b/ s", kRing), bound);
}

TEST(BindLine, RefusesWhatIsNotThereOrStandsTwice) {
  EXPECT_FALSE(bind_line("deb http://a/ s\n", "deb http://b/ s", kRing));
  EXPECT_FALSE(bind_line("deb http://b/ s c\n", "deb http://b/ s", kRing));
  EXPECT_FALSE(bind_line("deb http://b/ s\ndeb http://b/ s\n", "deb http://b/ s", kRing));
  EXPECT_FALSE(bind_line("deb\n", "deb", kRing));
}

TEST(BindStanza, AddsTheFieldBeforeTheOthers) {
  const std::string entry = "Types: deb\nURIs: http://b/\nSuites: s t\n";
  const std::string text = "# about\n\n" + entry + "\nTypes: deb\nURIs: http://c/\nSuites: s\n";
  const std::string bound = *bind_stanza(text, entry, kRing);
  EXPECT_EQ(bound,
            "# about\n\nSigned-By: /etc/apt/keyrings/v.gpg\n" + entry + "\nTypes: deb\nURIs: http://c/\nSuites: s\n");
  EXPECT_EQ(*bind_stanza(bound, entry, kRing), bound);
}

}  // namespace
}  // namespace gpuharden
