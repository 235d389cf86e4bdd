// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/runtime/cache_places.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::Contains;
using testing::IsEmpty;

TEST(CachePlaces, KnowVariablesAndFileSystems) {
  ASSERT_NE(find_cache_variable("TRITON_CACHE_DIR"), nullptr);
  EXPECT_EQ(find_cache_variable("TRITON_CACHE_DIR")->kind, "triton");
  EXPECT_EQ(find_cache_variable("PATH"), nullptr);
  EXPECT_TRUE(is_volatile_file_system("tmpfs"));
  EXPECT_FALSE(is_volatile_file_system("ext4"));
}

class JitCachesProbe : public testing::Test {
 protected:
  JitCachesProbe() {
    capture_
        .file("/etc/passwd",
              "root:x:0:0::/root:/bin/bash\nalice:x:1004:1004::/home/alice:/bin/bash\n"
              "infer:x:998:998::/var/lib/infer:/usr/sbin/nologin\n")
        .file("/proc/self/mountinfo",
              "24 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n25 24 0:30 / /tmp rw - tmpfs tmpfs rw\n");
  }
  Capture capture_;
};

TEST_F(JitCachesProbe, ShowsThoseOfHomes) {
  capture_.folder("/home/alice/.cache/torch").folder("/home/alice/.nv/ComputeCache").folder("/tmp/torchinductor_alice");
  capture_.yaml(
      "paths:\n  /home/alice: {uid: 1004}\n  /home/alice/.cache: {uid: 1004, mode: \"0777\"}\n"
      "  /home/alice/.cache/torch: {uid: 1004}\n  /tmp: {mode: \"1777\"}\n  /tmp/torchinductor_alice: {uid: 1004}\n");
  const auto table = read_table(*capture_.open(), "jit_caches");
  ASSERT_EQ(table.rows.size(), 3U);
  const auto& torch = table.where("kind", "torch");
  EXPECT_EQ(torch.at("user"), "alice");
  EXPECT_EQ(torch.at("uid"), "1004");
  EXPECT_EQ(torch.at("changeable_by"), "/home/alice/.cache is world-writable (0777)");
  EXPECT_EQ(torch.at("fs_type"), "ext4");
  const auto& inductor = table.where("kind", "torch-inductor");
  EXPECT_EQ(inductor.at("changeable_by"), "NULL");
  EXPECT_EQ(inductor.at("is_volatile"), "1");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST_F(JitCachesProbe, ShowsThoseThatUnitsName) {
  capture_.file("/etc/systemd/system/infer.service",
                "[Service]\nUser=infer\nExecStart=/x\nEnvironment=CUDA_CACHE_PATH=/var/cache/x PATH=/usr/bin\n");
  const auto table = read_table(*capture_.open(), "jit_caches");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].at("unit"), "infer.service");
  EXPECT_EQ(table.rows[0].at("user_id"), "998");
  EXPECT_EQ(table.rows[0].at("present"), "0");
  EXPECT_EQ(table.rows[0].at("uid"), "NULL");
}

TEST_F(JitCachesProbe, HasGapsForWhatCannotBeRead) {
  capture_.folder("/home/alice/.triton").yaml("paths: {/home/alice/.triton: {error: permission}}");
  EXPECT_THAT(read_table(*capture_.open(), "jit_caches").gap_words(), Contains("/home/alice/.triton * permission"));
}

TEST_F(JitCachesProbe, CannotTellFileSystemsOfAnImage) {
  Capture image;
  image.file("/etc/passwd", "root:x:0:0::/root:/bin/bash\n").folder("/root/.triton");
  EXPECT_EQ(read_table(*image.open_image(), "jit_caches").rows.at(0).at("fs_type"), "UNREAD");
}

}  // namespace
}  // namespace gpuharden::test
