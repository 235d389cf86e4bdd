// SPDX-License-Identifier: GPL-2.0-or-later
// Compares the reading of sshd_config with what the real sshd says about the same files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <map>
#include <random>

#include "checks/ssh/sshd_settings.h"
#include "engine/base/text.h"
#include "tests/support/capture.h"

namespace gpuharden::test {
namespace {

constexpr std::array<std::string_view, 6> kOptions = {
    "PermitRootLogin",    "PasswordAuthentication",       "X11Forwarding",
    "AllowTcpForwarding", "KbdInteractiveAuthentication", "AllowAgentForwarding"};

int run(std::vector<std::string> words, const std::string& output) {
  std::vector<char*> list;
  for (auto& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid == 0) {
    const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, 1);
    ::dup2(file, 2);
    ::execv(list[0], list.data());
    ::_exit(98);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

using Values = std::map<std::string, std::string>;

// The folder that sshd insists on, for the time of a test.
class PrivilegeFolder {
 public:
  PrivilegeFolder() : is_made_(::mkdir("/run/sshd", 0755) == 0) {}
  PrivilegeFolder(const PrivilegeFolder&) = delete;
  PrivilegeFolder& operator=(const PrivilegeFolder&) = delete;
  ~PrivilegeFolder() {
    if (is_made_) ::rmdir("/run/sshd");
  }

 private:
  bool is_made_;
};

class RealSshd {
 public:
  // Whether it can be asked here; makes a host key.
  bool is_there() {
    return ::access("/usr/sbin/sshd", X_OK) == 0 && ::access("/run/sshd", F_OK) == 0 &&
           run({"/usr/bin/ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key()}, folder_.path() + "/log") == 0;
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  Values ask(const std::string& user) const {
    const auto output = folder_.path() + "/out";
    const int code = run({"/usr/sbin/sshd", "-T", "-f", path("main"), "-h", key(), "-C",
                          "user=" + user + ",host=h.example.invalid,addr=192.0.2.1"},
                         output);
    std::ifstream stream(output);
    Values values;
    for (std::string line; std::getline(stream, line);) {
      if (code != 0) ADD_FAILURE() << line;
      const auto blank = line.find(' ');
      values.emplace(line.substr(0, blank), blank == std::string::npos ? "" : line.substr(blank + 1));
    }
    return values;
  }

 private:
  std::string key() const { return folder_.path() + "/key"; }
  TemporaryFolder folder_;
};

// What the rows mean for a user: the first block that names him or all, then what stands outside.
std::string value_for(const SshdSettings& settings, const std::string& user, std::string_view option) {
  const std::string name = to_lower(option);
  const SshdSetting* outside = nullptr;
  for (const auto& one : settings.settings) {
    if (one.option != name || !one.is_effective) continue;
    const bool matches =
        one.match == "all" || one.match == "User " + user || one.match == "User " + user + " + User " + user;
    if (matches) return one.words[0];
    if (one.match.empty()) outside = &one;
  }
  if (outside != nullptr) return outside->words[0];
  for (const auto& fallback : sshd_defaults()) {
    if (fallback.option == name) return std::string(fallback.value);
  }
  return "?";
}

std::string canonical(std::string value) { return value == "without-password" ? "prohibit-password" : value; }

void expect_same(const RealSshd& sshd, const std::string& what) {
  Capture copy;
  for (const auto* name : {"main", "a.conf", "b.conf"}) {
    std::ifstream stream(sshd.path(name));
    copy.file(sshd.path(name), std::string(std::istreambuf_iterator<char>(stream), {}));
  }
  const auto host = copy.open();
  const auto settings = read_sshd_settings(host->files(), sshd.path("main"));
  for (const auto* user : {"alice", "bob", "carol"}) {
    const auto real = sshd.ask(user);
    for (const auto option : kOptions) {
      const auto found = real.find(to_lower(option));
      ASSERT_NE(found, real.end()) << what;
      EXPECT_EQ(canonical(value_for(settings, user, option)), canonical(found->second))
          << option << " for " << user << "\n"
          << what;
    }
  }
}

// Lines of settings, blocks and includes, the same in every run.
std::string random_text(std::mt19937& random, const std::string& include) {
  static constexpr std::array<std::string_view, 6> kBlocks = {"User alice", "User bob",   "all",
                                                              "ALL",        "User alice", "User=bob"};
  std::string text;
  const auto pick = [&](std::size_t count) { return random() % count; };
  for (std::size_t i = 0, count = 1 + pick(7); i < count; ++i) {
    const auto kind = pick(10);
    if (kind < 2) {
      text += concat({"Match ", kBlocks.at(pick(5)), "\n"});
    } else if (kind == 2 && !include.empty()) {
      text += concat({"Include ", include, "\n"});
    } else {
      const auto option = kOptions.at(pick(kOptions.size()));
      text += concat({pick(4) == 0 ? "  " : "", option, pick(3) == 0 ? "=" : " ", pick(2) == 0 ? "yes" : "no",
                      pick(5) == 0 ? " # note" : "", "\n"});
    }
  }
  return text;
}

TEST(RealSshd, AgreesAboutWhichLineCounts) {
  const PrivilegeFolder privilege;
  RealSshd sshd;
  if (!sshd.is_there()) GTEST_SKIP() << "openssh-server is not installed, or this user may not ask it";
  std::mt19937 random(7);
  for (int round = 0; round < 25; ++round) {
    const auto inner = random_text(random, "");
    const auto outer = random_text(random, sshd.path("b.conf"));
    const auto main = random_text(random, sshd.path("[ab].conf"));
    sshd.write("b.conf", inner);
    sshd.write("a.conf", outer);
    sshd.write("main", main);
    expect_same(sshd, concat({"main:\n", main, "a.conf:\n", outer, "b.conf:\n", inner}));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace gpuharden::test
