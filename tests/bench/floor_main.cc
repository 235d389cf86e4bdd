// SPDX-License-Identifier: GPL-2.0-or-later
// The floor of an audit: looks at the same files in the plainest way, and says how long that takes.
//   gpuharden-floor list TRACE...   prints the operations in files of `strace -ff -y`
//   gpuharden-floor run LIST [N]    does them N times
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "engine/base/handle.h"
#include "engine/base/text.h"
#include "engine/native/sock_diag.h"
#include "tests/bench/measure.h"
#include "tests/bench/trace.h"

namespace gpuharden::test {
namespace {

constexpr unsigned kDefaultRuns = 20;

std::string read_whole(const std::string& path) {
  const std::ifstream stream(path, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

class Floor {
 public:
  void run(const Operation& operation) {
    switch (operation.access) {
      case Access::kOpen: return open(operation.path);
      case Access::kList: return list(operation.path);
      case Access::kLink: return link(operation.path);
      case Access::kStat: return stat(operation.path);
      case Access::kSockets: return dump_sockets();
    }
  }
  std::size_t bytes() const { return bytes_; }

 private:
  void open(const std::string& path) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    ssize_t count = 0;
    while (fd && (count = ::read(fd.get(), buffer_.data(), buffer_.size())) > 0)
      bytes_ += static_cast<std::size_t>(count);
  }
  void list(const std::string& path) {
    const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (fd && ::syscall(SYS_getdents64, fd.get(), buffer_.data(), buffer_.size()) > 0) {
    }
  }
  void link(const std::string& path) {
    if (::readlink(path.c_str(), buffer_.data(), buffer_.size()) > 0) ++bytes_;
  }
  void stat(const std::string& path) {
    struct stat raw {};
    if (::lstat(path.c_str(), &raw) == 0) ++bytes_;
  }
  void dump_sockets() {
    for (const int protocol : {IPPROTO_TCP, IPPROTO_UDP}) {
      for (const int family : {AF_INET, AF_INET6}) {
        const auto messages = dump_inet_sockets(protocol, family);
        if (messages) bytes_ += messages->size();
      }
    }
  }

  std::string buffer_ = std::string(std::size_t{1} << 18U, '\0');
  std::size_t bytes_ = 0;
};

int list_operations(const std::vector<std::string>& traces) {
  std::set<Operation> all;
  for (const auto& file : traces) {
    all.merge(operations_in_trace(read_whole(file), file.substr(file.rfind('.') + 1)));
  }
  std::fputs(format_operations(all).c_str(), stdout);
  return 0;
}

int run_operations(const std::string& list, unsigned runs) {
  const auto operations = parse_operations(read_whole(list));
  std::map<Access, std::size_t> counts;
  for (const auto& operation : operations) ++counts[operation.access];
  std::vector<double> wall, cpu;
  Floor floor;
  for (unsigned i = 0; i < runs; ++i) {
    const auto before = now();
    for (const auto& operation : operations) floor.run(operation);
    const auto after = now();
    wall.push_back(after.wall - before.wall);
    cpu.push_back(after.cpu - before.cpu);
  }
  std::printf("  wall  %s\n  cpu   %s\n", describe(wall).c_str(), describe(cpu).c_str());
  std::printf("  files %zu opened (%zu KiB), %zu folders, %zu links, %zu looked at or missing\n", counts[Access::kOpen],
              floor.bytes() / runs / 1024, counts[Access::kList], counts[Access::kLink], counts[Access::kStat]);
  return 0;
}

int run(const std::vector<std::string>& words) {
  if (words.size() >= 2 && words[0] == "list") return list_operations({words.begin() + 1, words.end()});
  const auto runs = words.size() == 3 ? parse_unsigned(words[2]) : kDefaultRuns;
  if (words.size() >= 2 && words[0] == "run" && runs && *runs > 0)
    return run_operations(words[1], static_cast<unsigned>(*runs));
  std::fputs("usage: gpuharden-floor list TRACE...\n       gpuharden-floor run LIST [N]\n", stderr);
  return 64;
}

}  // namespace
}  // namespace gpuharden::test

int main(int count, char** arguments) {
  try {
    return gpuharden::test::run({arguments + 1, arguments + count});
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "gpuharden-floor: %s\n", exception.what());
    return 1;
  }
}
