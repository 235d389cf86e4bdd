// SPDX-License-Identifier: GPL-2.0-or-later
// The reader process: what it may do, and what happens when it hangs, dies or lies.
#include "engine/scan/reader.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/klog.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;

// A host whose /etc/os-release is whatever the test does there.
class OddFiles final : public Files {
 public:
  explicit OddFiles(std::function<std::string()> os_release) : os_release_(std::move(os_release)) {}
  Result<FileBytes> read(std::string_view path, std::size_t) const override {
    if (path == "/etc/os-release") return FileBytes{os_release_(), {}, false};
    if (path == "/etc/passwd") return FileBytes{"root:x:0:0::/root:/bin/bash\n", {}, false};
    return missing(path);
  }
  Result<FileStat> stat(std::string_view path) const override { return missing(path); }
  Result<FileStat> lstat(std::string_view path) const override { return missing(path); }
  Result<std::vector<DirectoryEntry>> list(std::string_view path) const override { return missing(path); }
  Result<std::string> read_link(std::string_view path) const override { return missing(path); }
  Result<std::string> real_path(std::string_view path) const override { return missing(path); }
  Result<std::string> xattr(std::string_view path, const char*) const override { return missing(path); }
  Result<LibraryPath> library_path(std::string_view path) const override { return missing(path); }

 private:
  static Error missing(std::string_view path) { return {ErrorCode::kNotFound, std::string(path) + ": not there"}; }
  std::function<std::string()> os_release_;
};

class OddHost final : public Host {
 public:
  explicit OddHost(std::function<std::string()> os_release) : files_(std::move(os_release)) {}
  HostKind kind() const override { return HostKind::kLive; }
  const Files& files() const override { return files_; }
  Result<KernelName> kernel_name() const override { return KernelName{"Linux", "odd", "6.1", "", "x86_64"}; }
  bool is_privileged() const override { return true; }
  std::int64_t now() const override { return 0; }
  Result<std::shared_ptr<const Files>> process_root(std::int64_t) const override {
    return Error{ErrorCode::kNotFound, "no process"};
  }
  Result<SocketDump> sockets(SocketProtocol, int) const override { return SocketDump{}; }
  Result<std::string> audit_status() const override { return Error{ErrorCode::kNotFound, "no audit"}; }
  Result<std::string> audit_rules() const override { return Error{ErrorCode::kNotFound, "no audit"}; }
  Result<FilterDump> packet_filter() const override { return Error{ErrorCode::kUnsupported, "none"}; }
  Result<DirectoryGroup> directory_group(std::string_view) const override {
    return Error{ErrorCode::kNotFound, "no group"};
  }
  Result<KernelLog> kernel_log() const override { return KernelLog{}; }
  Result<std::string> kernel_keys() const override { return std::string(); }

 private:
  OddFiles files_;
};

std::unique_ptr<ReaderSource> start(std::function<std::string()> os_release,
                                    milliseconds deadline = milliseconds(5000)) {
  ReaderOptions options;
  options.open_host = [os_release]() -> Result<std::unique_ptr<Host>> {
    return std::unique_ptr<Host>(std::make_unique<OddHost>(os_release));
  };
  options.table_deadline = deadline;
  auto source = ReaderSource::start(std::move(options));
  if (!source) throw std::runtime_error(source.error().message);
  return std::move(source).value();
}

TableRequest request(std::string_view table) { return {find_probe(table), {}, {}}; }

// What the reader's own process got for a system call: "ok" or the word for errno.
std::string tried(const std::function<bool()>& call) {
  auto source = start([call] {
    errno = 0;
    return "ID=" + std::string(call() ? "ok" : ::strerrorname_np(errno)) + "\n";
  });
  const auto data = source->read(request("os_release"));
  return data->row_count() == 1 ? std::string(data->cell(0, 0).text) : "no row: " + data->failure();
}

TEST(Reader, StreamsRows) {
  auto source = start([] { return std::string("ID=debian\n"); });
  EXPECT_EQ(source->hello().kernel.nodename, "odd");
  source->expect({request("os_release"), request("users")});
  const auto data = source->read(request("os_release"));
  ASSERT_EQ(data->row_count(), 1U);
  EXPECT_EQ(data->cell(0, 0).text, "debian");
  EXPECT_EQ(data->failure(), "");
}

TEST(Reader, AHangCostsItsTableAndNoMore) {
  auto source = start(
      []() -> std::string {
        for (;;) ::usleep(1000);
      },
      milliseconds(200));
  source->expect({request("os_release"), request("users")});
  EXPECT_THAT(source->read(request("os_release"))->failure(), HasSubstr("os_release: no answer within 200 ms"));
  EXPECT_EQ(source->read(request("users"))->failure(), "");
}

TEST(Reader, ACrashCostsItsTableAndNoMore) {
  auto source = start([]() -> std::string {
    ::signal(SIGSEGV, SIG_DFL);
    ::raise(SIGSEGV);
    return "";
  });
  source->expect({request("os_release"), request("users")});
  EXPECT_THAT(source->read(request("os_release"))->failure(), HasSubstr("ended"));
  EXPECT_EQ(source->read(request("users"))->failure(), "");
}

TEST(Reader, AnExceptionIsAnErrorOfItsTable) {
  auto source = start([]() -> std::string { throw std::runtime_error("boom"); });
  EXPECT_THAT(source->read(request("os_release"))->failure(), HasSubstr("internal error in table os_release: boom"));
}

TEST(Reader, TheWholeTimeIsBounded) {
  ReaderOptions options;
  options.open_host = []() -> Result<std::unique_ptr<Host>> {
    return std::unique_ptr<Host>(std::make_unique<OddHost>([]() -> std::string {
      for (;;) ::usleep(1000);
    }));
  };
  options.total_deadline = milliseconds(300);
  auto source = ReaderSource::start(std::move(options));
  ASSERT_TRUE(source);
  (*source)->expect({request("os_release"), request("users")});
  EXPECT_NE((*source)->read(request("os_release"))->failure(), "");
  EXPECT_THAT((*source)->read(request("users"))->failure(), HasSubstr("the time for the whole audit was over"));
}

TEST(Reader, AHostThatCannotBeOpenedIsAnError) {
  ReaderOptions options;
  options.open_host = []() -> Result<std::unique_ptr<Host>> {
    return Error{ErrorCode::kNotFound, "/nowhere: not there"};
  };
  const auto source = ReaderSource::start(std::move(options));
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().message, HasSubstr("/nowhere"));
}

TEST(ReaderSandbox, RefusesEveryChange) {
  TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0777);
  const std::string file = folder.path() + "/file";
  std::ofstream(file) << "before";
  ::chmod(file.c_str(), 0666);
  EXPECT_EQ(tried([&] { return ::open(file.c_str(), O_WRONLY) >= 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::open((file + "2").c_str(), O_WRONLY | O_CREAT, 0600) >= 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::chmod(file.c_str(), 0600) == 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::unlink(file.c_str()) == 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::rename(file.c_str(), (file + "3").c_str()) == 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::mkdir((file + "4").c_str(), 0700) == 0; }), "EPERM");
  EXPECT_EQ(tried([&] { return ::truncate(file.c_str(), 0) == 0; }), "EPERM");
  EXPECT_EQ(tried([] { return ::klogctl(5, nullptr, 0) >= 0; }), "EPERM");  // clears the kernel's log
  EXPECT_EQ(tried([] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }), "EPERM");
  EXPECT_EQ(tried([] { return ::socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }), "EPERM");
  EXPECT_EQ(tried([] { return ::fork() >= 0; }), "EPERM");
  EXPECT_EQ(tried([] { return ::kill(1, 0) == 0; }), "EPERM");
  EXPECT_EQ(tried([] {
              char name[] = "/bin/true";
              char* const arguments[] = {name, nullptr};
              return ::execv(name, arguments) == 0;
            }),
            "EPERM");
}

TEST(ReaderSandbox, ReadsWhatRootReadsButIsNotRoot) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_EQ(tried([] { return ::geteuid() == 65534 && ::getegid() == 65534; }), "ok");
  TemporaryFolder folder;
  const std::string file = folder.path() + "/secret";
  std::ofstream(file) << "x";
  ::chmod(file.c_str(), 0000);
  EXPECT_EQ(tried([&] { return ::open(file.c_str(), O_RDONLY) >= 0; }), "ok");
}

}  // namespace
}  // namespace gpuharden::test
