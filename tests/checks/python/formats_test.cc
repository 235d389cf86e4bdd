// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/python/distribution.h"
#include "checks/python/path_file.h"
#include "checks/python/torch_version.h"
#include "checks/python/unit_places.h"
#include "engine/base/digest.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TorchVersion, TellsWhatItWasBuiltFor) {
  const auto torch = parse_torch_version(
      "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'xpu']\n"
      "__version__ = '2.6.0+rocm6.2.4'\ndebug = False\ncuda: Optional[str] = None\ngit_version = '2236df17'\n"
      "hip: Optional[str] = '6.2.41134-65d174c3e'\n");
  EXPECT_EQ(torch.version, "2.6.0+rocm6.2.4");
  EXPECT_EQ(torch.git_version, "2236df17");
  EXPECT_EQ(torch.cuda, std::nullopt);
  EXPECT_TRUE(torch.names_cuda);
  EXPECT_EQ(torch.hip, "6.2.41134-65d174c3e");
}

TEST(TorchVersion, ReadsOldFilesAndNonsense) {
  const auto old = parse_torch_version("__version__ = \"1.7.1\"\ncuda = '11.0'\n");
  EXPECT_EQ(old.cuda, "11.0");
  EXPECT_FALSE(old.names_hip);
  EXPECT_EQ(parse_torch_version("__version__ = 'no end\n=\n==='").version, std::nullopt);
}

TEST(Distribution, ReadsNamesOfFolders) {
  const auto torch = parse_distribution("torch-2.6.0+cu124.dist-info");
  ASSERT_TRUE(torch);
  EXPECT_EQ(torch->name, "torch");
  EXPECT_EQ(torch->version, "2.6.0+cu124");
  EXPECT_EQ(parse_distribution("nvidia_cublas_cu12-12.4.5.8.dist-info")->name, "nvidia-cublas-cu12");
  EXPECT_EQ(parse_distribution("PyYAML-6.0-py3.11.egg-info")->version, "6.0");
  EXPECT_EQ(parse_distribution("-1.dist-info"), std::nullopt);
  EXPECT_EQ(parse_distribution("torch"), std::nullopt);
  EXPECT_TRUE(is_package_of_interest("vllm"));
  EXPECT_FALSE(is_package_of_interest("requests"));
}

TEST(Record, ReadsPathsHashesAndSizes) {
  const auto entries = parse_record(
      "torch/__init__.py,sha256=AbC_-9,12\r\n\"a,\"\"b\"\".py\",sha256=x,1\ntorch/"
      "RECORD,,\nold.py,md5=1,3\n,sha256=y,2\n");
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[0].hash, "AbC_-9");
  EXPECT_EQ(entries[0].size, 12U);
  EXPECT_EQ(entries[1].path, "a,\"b\".py");
  EXPECT_EQ(entries[1].hash, "x");
  EXPECT_EQ(entries[2].hash, "");
  EXPECT_TRUE(entries[3].has_other_hash);
}

TEST(Record, WritesBase64LikePip) {
  // An empty __init__.py, as it stands in many RECORD files.
  EXPECT_EQ(to_base64url(sha256("")), "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  EXPECT_EQ(to_base64url("M"), "TQ");
  EXPECT_EQ(to_base64url("Ma"), "TWE");
  EXPECT_EQ(to_base64url("Man"), "TWFu");
}

TEST(PathFile, TellsCodeFromFolders) {
  const auto file = parse_path_file("\xef\xbb\xbf# comment\n\nimport os; x()\nimport\ty\n/srv/code\r\nimportant\n");
  EXPECT_THAT(file.imports, ElementsAre("import os; x()", "import\ty"));
  EXPECT_THAT(file.paths, ElementsAre("/srv/code", "important"));
}

TEST(PathFile, KnowsWordsThatHooksSeldomNeed) {
  EXPECT_THAT(risky_words("exec(base64.b64decode(x)); executor; my_exec"), ElementsAre("exec", "base64", "b64decode"));
  EXPECT_THAT(risky_words("enabled and __import__('_distutils_hack').add_shim();"), IsEmpty());
}

TEST(UnitPlaces, AreTakenFromCommandsFoldersAndVariables) {
  UnitPlaces places;
  add_unit_places(
      "[Service]\nExecStart=/usr/bin/env /srv/a/venv/bin/python -m x\nWorkingDirectory=-/srv/b\n"
      "Environment=\"VIRTUAL_ENV=/srv/c\" A=b\nExecStartPre=/usr/bin/true\n[Unit]\nExecStart=/d/bin/e\n",
      places);
  EXPECT_THAT(places.prefixes, ElementsAre("/srv/a/venv", "/srv/c"));
  EXPECT_THAT(places.folders, ElementsAre("/srv/b"));
  EXPECT_EQ(prefix_of_program("/usr/local/bin/python3"), "");
  EXPECT_EQ(prefix_of_program("/bin/sh"), "");
}

}  // namespace
}  // namespace gpuharden::test
