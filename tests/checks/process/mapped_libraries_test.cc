// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "checks/process/proc_maps.h"
#include "tests/support/capture.h"
#include "tests/support/table.h"

namespace gpuharden::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProcMaps, KeepsExecutableMappingsOfFilesOnce) {
  const auto files = parse_proc_maps(
      "55a0-55a1 r--p 00000000 fd:01 7                          /usr/bin/python3.12\n"
      "55a1-55a2 r-xp 00001000 fd:01 7                          /usr/bin/python3.12\n"
      "7f00-7f01 r-xp 00000000 fd:01 9                          /opt/a b/libx.so (deleted)\n"
      "7f01-7f02 r-xp 00001000 fd:01 9                          /opt/a b/libx.so (deleted)\n"
      "7f02-7f03 rwxp 00000000 00:00 0 \n"
      "7f03-7f04 r-xp 00000000 00:01 2048                       /memfd:libffi (deleted)\n"
      "7ffd-7ffe r-xp 00000000 00:00 0                          [vdso]\n");
  EXPECT_THAT(files, ElementsAre(MappedFile{"/memfd:libffi", true}, MappedFile{"/opt/a b/libx.so", true},
                                 MappedFile{"/usr/bin/python3.12", false}));
}

TEST(ProcMaps, UndoesTheKernelsEscapeAndLeavesNonsenseOut) {
  EXPECT_THAT(parse_proc_maps("1-2 r-xp 0 0:0 1 /a\\012b\n\nx\n1-2 r-xp\n1-2 --xp 0 0 0 /c"),
              ElementsAre(MappedFile{"/a\nb", false}, MappedFile{"/c", false}));
  EXPECT_THAT(parse_proc_maps(""), IsEmpty());
}

class MappedLibrariesProbe : public testing::Test {
 protected:
  MappedLibrariesProbe() {
    capture_.file("/proc/devices", "Character devices:\n195 nvidia\n").file("/proc/1/comm", "systemd\n");
  }
  // A process that holds a GPU.
  void process(const std::string& pid, const std::string& uid, const std::string& maps) {
    const std::string folder = "/proc/" + pid;
    capture_.file(folder + "/comm", "python3\n")
        .file(folder + "/status", "PPid:\t1\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid + "\n")
        .file(folder + "/maps", maps)
        .link(folder + "/fd/4", "/dev/nvidia0");
  }
  Capture capture_;
};

TEST_F(MappedLibrariesProbe, TellsWhoCanChangeWhatIsLoaded) {
  process("700", "1010",
          "1-2 r-xp 0 0:0 1 /usr/bin/python3.12\n1-2 r-xp 0 0:0 2 /tmp/lib.so\n1-2 r-xp 0 0:0 3 /memfd:x (deleted)\n");
  capture_.link("/proc/700/exe", "/usr/bin/python3.12").file("/usr/bin/python3.12", "").file("/tmp/lib.so", "");
  capture_.yaml("paths:\n  /tmp: {mode: \"1777\"}\n  /tmp/lib.so: {uid: 1020}\n");
  const auto table = read_table(*capture_.open(), "mapped_libraries");
  EXPECT_THAT(table.gaps, IsEmpty());
  const auto& program = table.where("path", "/usr/bin/python3.12");
  EXPECT_EQ(program.at("is_program"), "1");
  EXPECT_EQ(program.at("changeable_by"), "NULL");
  EXPECT_EQ(table.where("path", "/tmp/lib.so").at("changeable_by"), "/tmp is world-writable (1777)");
  EXPECT_EQ(table.where("path", "/memfd:x").at("in_memory"), "1");
  EXPECT_EQ(table.where("path", "/memfd:x").at("deleted"), "0");
}

TEST_F(MappedLibrariesProbe, CountsProcessesOfOneUserOnce) {
  process("700", "1010", "1-2 r-xp 0 0:0 2 /home/a/lib.so\n");
  process("701", "1010", "1-2 r-xp 0 0:0 2 /home/a/lib.so\n");
  process("702", "0", "1-2 r-xp 0 0:0 2 /home/a/lib.so\n");
  capture_.file("/home/a/lib.so", "").yaml("paths:\n  /home/a: {uid: 1010}\n  /home/a/lib.so: {uid: 1010}\n");
  const auto table = read_table(*capture_.open(), "mapped_libraries");
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.where("uid", "1010").at("processes"), "2");
  EXPECT_EQ(table.where("uid", "1010").at("changeable_by"), "NULL");
  EXPECT_EQ(table.where("uid", "0").at("changeable_by"), "/home/a belongs to uid 1010");
}

TEST_F(MappedLibrariesProbe, LooksInTheRootOfTheProcess) {
  process("700", "0", "1-2 r-xp 0 0:0 2 /lib/a.so\n");
  capture_.file("/containers/c1/lib/a.so", "")
      .yaml("paths:\n  /proc/700/root: {link: /containers/c1}\n  /containers/c1/lib: {mode: \"0777\"}\n");
  const auto table = read_table(*capture_.open(), "mapped_libraries");
  EXPECT_EQ(table.rows.at(0).at("container"), "/containers/c1");
  EXPECT_EQ(table.rows.at(0).at("changeable_by"), "/lib is world-writable (0777)");
}

TEST_F(MappedLibrariesProbe, HasGapsForWhatCannotBeRead) {
  process("700", "1010", "");
  process("701", "1010", "");
  capture_.yaml("paths:\n  /proc/700/maps: {error: permission}\n  /proc/701/maps: {error: not-found}\n");
  EXPECT_THAT(read_table(*capture_.open(), "mapped_libraries").gap_words(),
              ElementsAre("* * not-found", "* * permission"));
}

TEST_F(MappedLibrariesProbe, IsNotHeldByAnImage) {
  Capture image;
  image.file("/etc/os-release", "ID=debian\n");
  EXPECT_THAT(read_table(*image.open_image(), "mapped_libraries").gap_words(), testing::Contains("* * not-held"));
}

}  // namespace
}  // namespace gpuharden::test
