// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/rules/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace gpuharden {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Rule rule(std::string id, std::vector<std::string> tags = {}) {
  Rule out;
  out.id = std::move(id);
  out.tags = std::move(tags);
  out.params = {{"limit", std::int64_t{1}, "", false, {}},
                {"names", std::vector<std::string>{"a"}, "", false, {}},
                {"expect_gpus", {}, "", false, {}}};
  return out;
}

Catalog catalog() {
  Catalog out;
  out.rules = {rule("apt.pin", {"supply-chain"}), rule("apt.signed-by", {"supply-chain"}),
               rule("ports.ray", {"network"})};
  Policy base;
  base.name = "base";
  base.select = {"apt.*"};
  base.params["apt.*"]["limit"] = std::int64_t{5};
  Policy strict;
  strict.name = "strict";
  strict.extends = "base";
  strict.select = {"tag:network", "!apt.pin"};
  strict.require = {"ports.*"};
  strict.severities["ports.ray"] = Severity::kCritical;
  strict.expect["gpus"] = std::int64_t{8};
  out.policies = {base, strict};
  return out;
}

std::vector<std::string> ids(const Result<Selection>& selection) {
  std::vector<std::string> out;
  for (const auto& each : selection->rules) out.push_back(each.id);
  return out;
}

Result<Selection> select(SelectionOptions options) {
  if (options.profile == "baseline") options.profile = "base";
  return select_rules(catalog(), options);
}

TEST(Selection, PoliciesExtendDropAndSet) {
  SelectionOptions options;
  options.profile = "strict";
  const auto selection = select(options);
  ASSERT_TRUE(selection) << selection.error().message;
  EXPECT_THAT(ids(selection), ElementsAre("apt.signed-by", "ports.ray"));
  EXPECT_THAT(selection->required, ElementsAre("ports.ray"));
  EXPECT_EQ(selection->rules[0].params[0].value, ParamValue(std::int64_t{5}));
  EXPECT_EQ(selection->rules[1].severity, Severity::kCritical);
  EXPECT_EQ(selection->rules[1].params[2].value, ParamValue(std::int64_t{8})) << "expect: {gpus: 8}";
}

TEST(Selection, CheckSkipAndTagNarrow) {
  SelectionOptions options;
  options.check = {"*.signed-by", "ports.*"};
  EXPECT_THAT(ids(select(options)), ElementsAre("apt.signed-by", "ports.ray"));
  options.tags = {"network"};
  EXPECT_THAT(ids(select(options)), ElementsAre("ports.ray"));
  options.tags.clear();
  options.skip = {"ports.ray"};
  EXPECT_THAT(ids(select(options)), ElementsAre("apt.signed-by"));
}

TEST(Selection, WhatMatchesNothingIsAFault) {
  for (const auto& change : std::vector<std::function<void(SelectionOptions&)>>{
           [](auto& o) { o.check = {"apt.singed-by"}; }, [](auto& o) { o.skip = {"nope.*"}; },
           [](auto& o) { o.tags = {"netwrk"}; }, [](auto& o) { o.profile = "nope"; },
           [](auto& o) { o.set = {"apt.pin.limt=3"}; }, [](auto& o) { o.set = {"apt.pn.limit=3"}; },
           [](auto& o) { o.set = {"limit"}; }, [](auto& o) { o.set = {"apt.pin.names="}; }}) {
    SelectionOptions options;
    change(options);
    EXPECT_FALSE(select(options));
  }
  SelectionOptions options;
  options.check = {"apt.singed-by"};
  EXPECT_THAT(select(options).error().message, HasSubstr("did you mean \"apt.signed-by\"?"));
}

TEST(Selection, SetGivesNumbersTextsAndLists) {
  SelectionOptions options;
  options.set = {"apt.pin.limit=9", "apt.pin.names=x, y"};
  const auto selection = select(options);
  ASSERT_TRUE(selection);
  EXPECT_EQ(selection->rules[0].params[0].value, ParamValue(std::int64_t{9}));
  EXPECT_EQ(selection->rules[0].params[1].value, ParamValue(std::vector<std::string>{"x", "y"}));
}

TEST(Selection, APolicyThatExtendsItselfIsAFault) {
  Catalog loop = catalog();
  loop.policies[0].extends = "strict";
  SelectionOptions options;
  options.profile = "strict";
  EXPECT_THAT(select_rules(loop, options).error().message, HasSubstr("extends itself"));
  std::vector<Diagnostic> diagnostics;
  lint_policies(loop, diagnostics);
  EXPECT_FALSE(diagnostics.empty());
}

TEST(Selection, TheLastPolicyOfTheLineageSaysHowOldFloorsMayBe) {
  Catalog rules = catalog();
  SelectionOptions options;
  options.profile = "strict";
  EXPECT_EQ(select_rules(rules, options)->floors_max_age, 180) << "without a word";
  rules.policies[0].floors_max_age = 100;
  EXPECT_EQ(select_rules(rules, options)->floors_max_age, 100) << "from what it extends";
  rules.policies[1].floors_max_age = 90;
  EXPECT_EQ(select_rules(rules, options)->floors_max_age, 90);
}

}  // namespace
}  // namespace gpuharden
