// SPDX-License-Identifier: GPL-2.0-or-later
// The door to files, on real ones: nothing leads outside, nothing blocks.
#include "engine/host/root_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "engine/host/host.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

namespace fs = std::filesystem;

class RootFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(root() + "/etc");
    fs::create_directories(root() + "/usr/lib");
    std::ofstream(folder_.path() + "/outside") << "outside";
    std::ofstream(root() + "/usr/lib/os-release") << "ID=inside\n";
  }
  std::string root() const { return folder_.path() + "/root"; }
  std::unique_ptr<RootFiles> open(MountTable mounts = {}) {
    auto files = RootFiles::open(root(), std::move(mounts));
    return std::move(files).value();
  }
  static std::string bytes(const Files& files, std::string_view path) {
    const auto file = files.read(path, kDefaultReadCap);
    return file ? file->bytes : "error: " + std::string(to_string(file.error().code));
  }
  TemporaryFolder folder_;
};

TEST_F(RootFilesTest, LinksStayInside) {
  fs::create_symlink("../usr/lib/os-release", root() + "/etc/os-release");
  fs::create_symlink("/usr/lib/os-release", root() + "/etc/absolute");
  fs::create_symlink("../../../../../../outside", root() + "/etc/up");
  fs::create_symlink(folder_.path() + "/outside", root() + "/etc/out");
  const auto files = open();
  EXPECT_EQ(bytes(*files, "/etc/os-release"), "ID=inside\n");
  EXPECT_EQ(bytes(*files, "/etc/absolute"), "ID=inside\n");
  EXPECT_EQ(bytes(*files, "/etc/up"), "error: not-found");
  EXPECT_EQ(bytes(*files, "/etc/out"), "error: not-found");
  EXPECT_EQ(bytes(*files, "/../outside"), "error: not-found");
  EXPECT_EQ(*files->real_path("/etc/absolute"), "/usr/lib/os-release");
}

TEST_F(RootFilesTest, LoopsEnd) {
  fs::create_symlink("b", root() + "/a");
  fs::create_symlink("a", root() + "/b");
  const auto files = open();
  EXPECT_EQ(bytes(*files, "/a"), "error: loop");
  EXPECT_EQ(files->real_path("/a").error().code, ErrorCode::kLoop);
}

TEST_F(RootFilesTest, NothingBlocksAndNothingButFilesIsRead) {
  ASSERT_EQ(::mkfifo((root() + "/fifo").c_str(), 0644), 0);
  const auto files = open();
  EXPECT_EQ(bytes(*files, "/fifo"), "error: not-regular");
  EXPECT_EQ(bytes(*files, "/etc"), "error: not-regular");
  EXPECT_EQ(files->lstat("/fifo")->type, FileType::kFifo);
  if (::geteuid() != 0) GTEST_SKIP() << "making a device needs root";
  ASSERT_EQ(::mknod((root() + "/zero").c_str(), S_IFCHR | 0666, makedev(1, 5)), 0);
  EXPECT_EQ(bytes(*files, "/zero"), "error: not-regular");
  EXPECT_EQ(files->stat("/zero")->device_minor, 5U);
}

// Opening a socket gives ENXIO: it is there, and must not look as if it were not.
TEST_F(RootFilesTest, ASocketIsNoFileAndNotNothing) {
  const UniqueFd server(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = root() + "/socket";
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  ASSERT_EQ(::bind(server.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const auto files = open();
  EXPECT_EQ(bytes(*files, "/socket"), "error: not-regular");
  EXPECT_NE(files->read_plain("/socket", 10).error().code, ErrorCode::kNotFound);
}

TEST_F(RootFilesTest, AGiantIsCutAndSaysSo) {
  std::ofstream(root() + "/giant").close();
  fs::resize_file(root() + "/giant", std::uintmax_t{1} << 30U);
  const auto file = open()->read("/giant", 1000);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->truncated);
  EXPECT_EQ(file->bytes.size(), 1000U);
  EXPECT_EQ(file->stat.size, std::uint64_t{1} << 30U);
}

TEST_F(RootFilesTest, AFileOfExactlyTheCapIsWhole) {
  std::ofstream(root() + "/exact") << std::string(4096, 'x');
  const auto files = open();
  EXPECT_FALSE(files->read("/exact", 4096)->truncated);
  EXPECT_TRUE(files->read("/exact", 4095)->truncated);
}

TEST_F(RootFilesTest, RecordedNetworkMountsAreNotEntered) {
  fs::create_directories(root() + "/home/alice");
  std::ofstream(root() + "/home/alice/.bashrc") << "x";
  fs::create_symlink("/home/alice", root() + "/alice");
  MountTable mounts;
  mounts.add_barriers(MountTable::parse("30 1 0:40 / /home/alice rw - nfs4 server:/alice rw\n"));
  const auto files = open(std::move(mounts));
  EXPECT_EQ(bytes(*files, "/home/alice/.bashrc"), "error: remote");
  EXPECT_EQ(bytes(*files, "/alice/.bashrc"), "error: remote");
  EXPECT_EQ(bytes(*files, "/home/../home/alice/.bashrc"), "error: remote");
  EXPECT_TRUE(files->list("/home"));
}

TEST_F(RootFilesTest, GlobsAreSortedAndBounded) {
  for (const auto* name : {"b.list", "a.list", "c.save", ".hidden.list"}) std::ofstream(root() + "/etc/" + name) << "x";
  const auto files = open();
  std::vector<Error> errors;
  EXPECT_THAT(expand_glob(*files, "/etc/*.list", errors), testing::ElementsAre("/etc/a.list", "/etc/b.list"));
  EXPECT_THAT(expand_glob(*files, "/nowhere/*", errors), testing::IsEmpty());
  EXPECT_THAT(expand_glob(*files, "/etc/a.list", errors), testing::ElementsAre("/etc/a.list"));
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(expand_glob(*files, "/etc/*", errors, 2).size(), 2U);
  EXPECT_EQ(errors.at(0).code, ErrorCode::kTooLarge);
}

// A file system in user space whose server never answers: any look at it hangs for ever.
TEST_F(RootFilesTest, AMuteFuseMountCostsNothing) {
  if (::geteuid() != 0) GTEST_SKIP() << "mounting needs root";
  if (::unshare(CLONE_NEWNS) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    GTEST_SKIP() << "no mount namespace";
  const UniqueFd server(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
  if (!server) GTEST_SKIP() << "no /dev/fuse";
  for (const std::string place : {"/home/alice", "/opt/rocm"}) {
    fs::create_directories(root() + place);
    const std::string options = "fd=" + std::to_string(server.get()) + ",rootmode=40000,user_id=0,group_id=0";
    const UniqueFd own(::open("/dev/fuse", O_RDWR | O_CLOEXEC));
    const std::string own_options = "fd=" + std::to_string(place == "/home/alice" ? server.get() : own.get()) +
                                    ",rootmode=40000,user_id=0,group_id=0";
    ASSERT_EQ(::mount("mute", (root() + place).c_str(), "fuse.mute", 0, own_options.c_str()), 0) << place;
    const auto before = std::chrono::steady_clock::now();
    const auto host = open_image_host(root());
    ASSERT_TRUE(host) << host.error().message;
    EXPECT_EQ(bytes((*host)->files(), place + "/.bashrc"), "error: remote");
    EXPECT_EQ((*host)->files().stat(place).error().code, ErrorCode::kRemote);
    std::ifstream mountinfo("/proc/self/mountinfo");
    const std::string text{std::istreambuf_iterator<char>(mountinfo), {}};
    const auto as_live = RootFiles::open(root(), MountTable::parse(text, root()));
    EXPECT_EQ(bytes(**as_live, place + "/.bashrc"), "error: remote");
    // Even without a word in the mount table the kernel keeps us out.
    EXPECT_EQ(bytes(*open(), place + "/.bashrc"), "error: remote");
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(2));
    ::umount2((root() + place).c_str(), MNT_DETACH);
  }
}

TEST(MountTable, ReadsEscapesAndHidesWhatIsMountedOver) {
  const auto table = MountTable::parse(
      "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "2 1 0:5 / /proc rw - proc proc rw\n"
      "3 1 0:9 / /mnt/a\\040b rw shared:1 - cifs //s/a rw\n"
      "4 1 0:8 / /home rw - autofs systemd-1 rw\n"
      "5 1 0:7 / /home rw - ext4 /dev/sdb1 rw\n"
      "not a line\n");
  EXPECT_EQ(table.at("/mnt/a b")->fs_type, "cifs");
  EXPECT_EQ(table.covering("/mnt/a b/c/d")->fs_type, "cifs");
  EXPECT_EQ(table.barrier("/home/x"), nullptr) << "the later mount hides the automounter";
  EXPECT_EQ(table.barrier("/mnt/a b/c")->point, "/mnt/a b");
  EXPECT_EQ(table.covering("/procx")->point, "/");
}

TEST(MountTable, WhatIsNotKnownIsNotLocal) {
  for (const auto* type : {"nfs", "nfs4", "cifs", "smb3", "ceph", "lustre", "beegfs", "gpfs", "autofs", "fuse",
                           "fuse.sshfs", "fuseblk", "9p", "virtiofs", "wekafs", "newfs"}) {
    EXPECT_FALSE(is_local_file_system(type)) << type;
  }
  for (const auto* type : {"ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "proc", "sysfs", "efivarfs", "cgroup2",
                           "vfat", "squashfs"}) {
    EXPECT_TRUE(is_local_file_system(type)) << type;
  }
}

}  // namespace
}  // namespace gpuharden::test
