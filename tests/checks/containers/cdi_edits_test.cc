// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/containers/cdi_spec.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

constexpr std::string_view kOld = R"(cdiVersion: "0.5.0"
kind: nvidia.com/gpu
containerEdits:
  deviceNodes:
  - path: /dev/nvidia-uvm
    major: 507
    permissions: rwm
  mounts:
  - hostPath: /usr/lib/x86_64-linux-gnu/libcuda.so.535.129.03
    containerPath: /usr/lib/x86_64-linux-gnu/libcuda.so.535.129.03
devices:
- name: all
  containerEdits:
    deviceNodes:
    - path: /dev/nvidia0
      hostPath: /dev/host0
)";
constexpr std::string_view kNew = R"({"kind": "nvidia.com/gpu", "devices": [{"name": "all", "containerEdits": {
  "hooks": [{"path": "/usr/bin/nvidia-cdi-hook"}]}}]})";

TEST(CdiSpec, ReadsBothFormats) {
  const auto spec = parse_cdi_spec(kOld, CdiFormat::kYaml);
  ASSERT_TRUE(spec);
  ASSERT_EQ(spec->edits.size(), 3U);
  EXPECT_EQ(spec->edits[0].major, 507);
  EXPECT_EQ(spec->edits[0].minor, 0);
  EXPECT_EQ(spec->edits[2].device, "all");
  EXPECT_EQ(spec->edits[2].path, "/dev/host0");
  EXPECT_EQ(spec->edits[2].minor, std::nullopt);
  const auto json = parse_cdi_spec(kNew, CdiFormat::kJson);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->edits[0].kind, "hook");
}

TEST(CdiSpec, RefusesWhatIsNone) {
  for (const auto* text :
       {"", "[]", "kind: a\n", "kind: a\ndevices: 1\n", "kind: a\ndevices: [{name: [1]}]\n", "a: &x b"})
    EXPECT_FALSE(parse_cdi_spec(text, CdiFormat::kYaml)) << text;
  EXPECT_FALSE(parse_cdi_spec(std::string(100000, '['), CdiFormat::kJson));
  EXPECT_TRUE(
      parse_cdi_spec("kind: a\ndevices: [{name: 0, containerEdits: 7}]\ncontainerEdits: [x]\n", CdiFormat::kYaml));
}

TEST(CdiSpec, TakesVersionsFromLibraries) {
  EXPECT_EQ(library_version("/usr/lib/libcuda.so.535.129.03"), "535.129.03");
  EXPECT_EQ(library_version("/usr/lib/libcuda.so.1"), std::nullopt);
  EXPECT_EQ(library_version("/usr/lib/libcuda.so."), std::nullopt);
  EXPECT_EQ(library_version("libx.so.1.a"), std::nullopt);
}

// C172: the file of /var/run/cdi decides.
TEST(CdiEditsProbe, TheLaterFolderWins) {
  Capture capture;
  capture.file("/etc/cdi/nvidia.yaml", kOld).file("/var/run/cdi/nvidia.json", kNew);
  const auto table = read_table(*capture.open(), "cdi_edits");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.where("path", "/dev/nvidia-uvm").at("is_effective"), "0");
  EXPECT_EQ(table.where("path", "/dev/nvidia-uvm").at("device"), "nvidia.com/gpu");
  EXPECT_EQ(table.where("path", "/usr/bin/nvidia-cdi-hook").at("is_effective"), "1");
}

TEST(CdiEditsProbe, TwoFilesOfOneFolderAreAConflict) {
  Capture capture;
  capture.file("/etc/cdi/a.yaml", kOld).file("/etc/cdi/b.json", kNew);
  const auto table = read_table(*capture.open(), "cdi_edits");
  EXPECT_EQ(table.where("path", "/usr/bin/nvidia-cdi-hook").at("is_effective"), "NULL");
}

TEST(CdiEditsProbe, IsAGapWhenItCannotBeReadOrUnderstood) {
  Capture capture;
  capture.file("/etc/cdi/a.yaml", kOld).file("/etc/cdi/b.yaml", "- x\n").file("/etc/cdi/note.txt", "\xff");
  capture.yaml("paths: {/etc/cdi/a.yaml: {error: permission}}");
  const auto table = read_table(*capture.open(), "cdi_edits");
  EXPECT_TRUE(table.rows.empty());
  EXPECT_EQ(table.gaps.size(), 2U);
}

}  // namespace
}  // namespace gpuharden::test
