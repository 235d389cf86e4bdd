// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/python/record_check.h"
#include "engine/base/digest.h"
#include "engine/base/text.h"
#include "engine/host/file_digest.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using std::chrono::steady_clock;
using testing::Contains;
using testing::IsEmpty;

constexpr const char* kSite = "/opt/a/lib/python3.12/site-packages";

TEST(NormalPath, StaysInTheRoot) {
  EXPECT_EQ(normal_path("/opt/a/lib/site", "../../bin/./x"), "/opt/a/bin/x");
  EXPECT_EQ(normal_path("/a", "/etc/passwd"), "/etc/passwd");
  EXPECT_EQ(normal_path("/a", "../../etc/passwd"), "");
}

TEST(FileSha256, ReadsInPiecesAndStopsInTime) {
  Capture capture;
  const std::string large(700000, 'x');
  capture.file("/large", large).folder("/folder");
  const auto host = capture.open();
  const auto later = steady_clock::now() + std::chrono::minutes(5);
  const auto digest = file_sha256(host->files(), "/large", later);
  ASSERT_TRUE(digest);
  EXPECT_EQ(to_hex(*digest), to_hex(sha256(large)));
  EXPECT_EQ(file_sha256(host->files(), "/large", steady_clock::now() - std::chrono::seconds(1)).error().code,
            ErrorCode::kTimeout);
  EXPECT_EQ(file_sha256(host->files(), "/folder", later).error().code, ErrorCode::kNotRegular);
  EXPECT_EQ(file_sha256(host->files(), "/none", later).error().code, ErrorCode::kNotFound);
}

class PythonRecordProbe : public testing::Test {
 protected:
  PythonRecordProbe() {
    capture_.file("/proc/devices", "")
        .file("/proc/1/comm", "systemd\n")
        .file("/etc/passwd", "root:x:0:0::/root:/bin/bash\n");
  }
  void file(const std::string& path, const std::string& bytes) {
    capture_.file(std::string(kSite) + "/" + path, bytes);
  }
  Capture capture_;
};

TEST_F(PythonRecordProbe, ComparesEveryFile) {
  file("torch/a.py", "a");
  file("torch/b.py", "b");
  file("torch/lib/libx.so", "");
  file("torch/lib/libextra.so.1", "");
  file("torch-2.8.0+cu128.dist-info/RECORD", "torch/a.py,sha256=" + to_base64url(sha256("a")) +
                                                 ",1\ntorch/b.py,sha256=" + to_base64url(sha256("c")) +
                                                 ",1\ntorch/c.py,sha256=" + to_base64url(sha256("c")) +
                                                 ",1\ntorch/lib/libx.so,sha256=" + to_base64url(sha256("")) + ",0\n");
  const auto table = read_table(*capture_.open(), "python_record");
  ASSERT_EQ(table.rows.size(), 4U);
  const auto& compared = table.where("state", "compared");
  EXPECT_EQ(compared.at("files"), "4");
  EXPECT_EQ(compared.at("verified"), "2");
  EXPECT_EQ(compared.at("version"), "2.8.0+cu128");
  EXPECT_EQ(table.where("state", "changed").at("file"), std::string(kSite) + "/torch/b.py");
  EXPECT_EQ(table.where("state", "missing").at("file"), std::string(kSite) + "/torch/c.py");
  EXPECT_EQ(table.where("state", "extra").at("file"), std::string(kSite) + "/torch/lib/libextra.so.1");
  EXPECT_THAT(table.gaps, IsEmpty());
}

TEST_F(PythonRecordProbe, SaysWhatHasNoRecordOrAnotherDigest) {
  file("a-1.dist-info/METADATA", "");
  file("b-1.dist-info/RECORD", "b.py,md5=x,1\n");
  const auto table = read_table(*capture_.open(), "python_record");
  EXPECT_EQ(table.where("state", "unrecorded").at("package"), "a");
  EXPECT_THAT(table.gap_words(), Contains(std::string(kSite) + "/b-1.dist-info/RECORD * unsupported"));
}

TEST_F(PythonRecordProbe, TakesHostileRecordsForWhatTheyAre) {
  file("a-1.dist-info/RECORD", "../../../../../../etc/shadow,sha256=x,1\n\"\n,,,\n\"\"\"\"\n/opt,sha256=x,1\n");
  const auto table = read_table(*capture_.open(), "python_record");
  EXPECT_EQ(table.where("state", "changed").at("file"), "/opt");
}

TEST_F(PythonRecordProbe, LeavesLibrariesOfCondaAlone) {
  capture_.folder("/opt/a/conda-meta");
  file("a/x.so", "");
  file("a/y.py", "");
  file("a-1.dist-info/RECORD", "a/y.py,sha256=" + to_base64url(sha256("")) + ",0\n");
  EXPECT_FALSE(read_table(*capture_.open(), "python_record").has("state", "extra"));
}

}  // namespace
}  // namespace gpuharden::test
