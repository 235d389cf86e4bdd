// SPDX-License-Identifier: GPL-2.0-or-later
#include "checks/system/redaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuharden {
namespace {

using testing::ElementsAre;

TEST(NamesCredential, WantsWholeWordsOrTheirEnds) {
  for (const auto* name : {"HF_TOKEN", "VLLM_API_KEY", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD", "--api-key",
                           "DBPASSWORD", "authToken", "API_TOKENS", "OPENAI_KEY", "PGPASSWORD"})
    EXPECT_TRUE(names_credential(name)) << name;
  for (const auto* name :
       {"--tokenizer", "RAY_AUTH_MODE", "--ssl-key-file", "TOKENIZERS_PARALLELISM", "MAX_TOKENS", "TOKEN_FILE", "PATH",
        "SSH_AUTH_SOCK", "--max-num-batched-tokens", "TOKEN_LIMIT", "MONKEY", "SECRETARY"})
    EXPECT_FALSE(names_credential(name)) << name;
}

TEST(HoldsCredential, KnowsUrlsAndTokens) {
  EXPECT_TRUE(holds_credential("http://user:pw@proxy:3128/"));
  EXPECT_TRUE(holds_credential("a,http://b@c,d://e:f@g"));
  EXPECT_TRUE(holds_credential("hf_0123456789abcdef"));
  EXPECT_FALSE(holds_credential("http://proxy:3128/a@b"));
  EXPECT_FALSE(holds_credential("sk-short"));
  EXPECT_FALSE(holds_credential("hf_models_of_the_group/llama"));
}

TEST(RedactWords, HidesTheValueOfASecretOption) {
  EXPECT_THAT(redact_words({"vllm", "serve", "--api-key", "abc", "--port", "8000"}),
              ElementsAre("vllm", "serve", "--api-key", "<redacted 3 bytes>", "--port", "8000"));
  EXPECT_THAT(redact_words({"x", "--token=abc", "PASSWORD=p", "--api-key", "--port"}),
              ElementsAre("x", "--token=<redacted 3 bytes>", "PASSWORD=<redacted 1 bytes>", "--api-key", "--port"));
  EXPECT_THAT(redact_words({"HF_TOKEN=a b", "--api-key", "-k9x", "--token=t", "x y"}),
              ElementsAre("HF_TOKEN=<redacted 3 bytes>", "--api-key", "<redacted 4 bytes>",
                          "--token=<redacted 1 bytes>", "x y"));
}

TEST(RedactWords, HidesPasswordsOfUrlsAndKnownTokens) {
  EXPECT_THAT(
      redact_words({"a", "postgres://me:pw@db/x", "sk-0123456789abcdef", "http://[::1]:80/a@b", "P=h://a:b@c d"}),
      ElementsAre("a", "postgres://me:<redacted 2 bytes>@db/x", "<redacted 19 bytes>", "http://[::1]:80/a@b",
                  "P=h://a:<redacted 1 bytes>@c d"));
}

TEST(RedactText, LeavesWhatIsHarmlessAsItIs) {
  EXPECT_EQ(redact_text("a  b", {"a", "b"}), "a  b");
  EXPECT_EQ(redact_text("HF_TOKEN=a b", {"HF_TOKEN=a", "b"}), "\"HF_TOKEN=<redacted 1 bytes>\" b");
}

}  // namespace
}  // namespace gpuharden
