// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/process/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using testing::ElementsAre;

TEST(NamesCredential, WantsWholeWords) {
  EXPECT_TRUE(names_credential("HF_TOKEN"));
  EXPECT_TRUE(names_credential("--api-key"));
  EXPECT_TRUE(names_credential("AWS_SECRET_ACCESS_KEY"));
  EXPECT_FALSE(names_credential("--tokenizer"));
  EXPECT_FALSE(names_credential("RAY_AUTH_MODE"));
  EXPECT_FALSE(names_credential("--ssl-key-file"));
}

TEST(RedactArguments, HidesTheValueOfASecretOption) {
  EXPECT_THAT(redact_arguments({"vllm", "serve", "--api-key", "abc", "--port", "8000"}),
              ElementsAre("vllm", "serve", "--api-key", "<redacted>", "--port", "8000"));
  EXPECT_THAT(redact_arguments({"x", "--token=abc", "PASSWORD=p", "--api-key", "--port"}),
              ElementsAre("x", "--token=<redacted>", "PASSWORD=<redacted>", "--api-key", "--port"));
}

TEST(RedactArguments, HidesPasswordsOfUrlsAndKnownTokens) {
  EXPECT_THAT(redact_arguments({"a", "postgres://me:pw@db/x", "sk-0123456789abcdef", "http://[::1]:80/a@b"}),
              ElementsAre("a", "postgres://me:<redacted>@db/x", "<redacted>", "http://[::1]:80/a@b"));
}

}  // namespace
}  // namespace gpuharden
