// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/bench/trace.h"

#include <gtest/gtest.h>

namespace gpuharden::test {
namespace {

TEST(Trace, NamesTheLeastThatHadToBeDone) {
  const std::string trace =
      "openat(AT_FDCWD</tmp>, \"/lib/x86_64-linux-gnu/libc.so.6\", O_RDONLY|O_CLOEXEC) = 3</usr/lib/libc.so.6>\n"
      "open(\"/proc/self/mountinfo\", O_RDONLY|O_CLOEXEC) = 3</proc/42/mountinfo>\n"
      "openat2(3</>, \"etc/os-release\", {flags=O_RDONLY|O_PATH|O_CLOEXEC, resolve=RESOLVE_IN_ROOT}, 24) = "
      "5</usr/lib/os-release>\n"
      "openat(AT_FDCWD</tmp>, \"/proc/self/fd/5\", O_RDONLY|O_NONBLOCK) = 6</usr/lib/os-release>\n"
      "openat2(3</>, \"etc\", {flags=O_RDONLY|O_PATH|O_DIRECTORY, resolve=RESOLVE_IN_ROOT}, 24) = 5</etc>\n"
      "openat2(5</etc>, \".\", {flags=O_RDONLY|O_DIRECTORY, resolve=RESOLVE_NO_XDEV}, 24) = 6</etc>\n"
      "openat2(3</>, \"dev/nvidia0\", {flags=O_RDONLY|O_PATH, resolve=RESOLVE_IN_ROOT}, 24) = 5</dev/nvidia0<char "
      "195:0>>\n"
      "openat2(3</>, \"etc/a \\\"b\\\"\\10\", {flags=O_PATH}, 24) = -1 ENOENT (No such file or directory)\n"
      "read(6</usr/lib/os-release>, \"ID=debian\", 4096) = 9\n"
      "newfstatat(5</usr/lib/os-release>, \"\", {st_mode=S_IFREG|0644}, AT_EMPTY_PATH) = 0\n"
      "readlinkat(5</proc/7/exe>, \"\", \"/usr/bin/x\", 256) = 10\n"
      "socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_SOCK_DIAG) = 7<NETLINK:[1]>\n"
      "+++ exited with 0 +++\n";
  EXPECT_EQ(format_operations(operations_in_trace(trace, "42")),
            "open /proc/self/mountinfo\n"
            "open /usr/lib/os-release\n"
            "list /etc\n"
            "link /proc/7/exe\n"
            "stat /dev/nvidia0\n"
            "stat /etc/a \"b\"\b\n"
            "sockets \n");
}

TEST(Trace, ReadsItsOwnListBack) {
  const auto operations = parse_operations("open /a b\nnonsense\nlist /c\nsockets \n");
  ASSERT_EQ(operations.size(), 3U);
  EXPECT_EQ(operations[0].path, "/a b");
  EXPECT_EQ(operations[1].access, Access::kList);
  EXPECT_EQ(operations[2].access, Access::kSockets);
}

}  // namespace
}  // namespace gpuharden::test
