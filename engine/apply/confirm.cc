// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/apply/confirm.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "engine/apply/executor.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kStatCap = 4096;
constexpr int kMaxAncestors = 64;

bool recovers_at_boot(const Files& files) {
  for (const auto* folder : {"/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"}) {
    if (files.stat(concat({folder, "/sysinit.target.wants/gpuharden-recover.service"}))) return true;
  }
  return false;
}

// Waits for the deadline in the background and takes back what is not confirmed then. It holds its own copy of
// this program in memory: what happens to the file meanwhile does not matter.
[[noreturn]] void wait_and_take_back(std::int64_t until_uptime) {
  const timespec deadline{until_uptime, 0};
  while (::clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
  }
  auto tree = TreeWriter::open("/", system_write_calls());
  if (!tree) ::_exit(1);
  const auto kernel = make_live_kernel();
  Clocks clocks = read_clocks();
  clocks.boot_id = kernel->boot_id();
  // Another gpuharden may be at work at this very moment.
  for (int attempt = 0; attempt < 600; ++attempt) {
    auto journal = Journal::open(**tree);
    if (journal) {
      const auto done = Executor(**tree, *kernel, **journal).recover(clocks);
      ::_exit(done ? 0 : 1);
    }
    ::sleep(1);
  }
  ::_exit(1);
}

// Twice, so that it is nobody's child and no session's process.
Status start_waiting(std::int64_t until_uptime) {
  const auto child = ::fork();
  if (child < 0) return error_from_errno(errno, "fork");
  if (child == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    for (const int ignored : {SIGHUP, SIGINT, SIGTERM}) ::signal(ignored, SIG_IGN);
    const int null = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, stream);
    // The journal's lock and whatever else was open are the parent's.
    for (int fd = STDERR_FILENO + 1; fd < 1024; ++fd) ::close(fd);
    if (::chdir("/") != 0) ::_exit(1);
    wait_and_take_back(until_uptime);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return {};
}

struct Process {
  std::string name;
  std::int64_t parent = 0;
  std::int64_t started = 0;   // seconds since the epoch
  std::int64_t terminal = 0;  // device number of its controlling terminal
};

// Seconds since the epoch at which the machine was started.
Result<std::int64_t> boot_time(const Files& files) {
  GH_ASSIGN_OR_RETURN(const FileBytes stat, files.read("/proc/stat", std::size_t{1} << 20U));
  for (const auto line : split(stat.bytes, '\n')) {
    if (!line.starts_with("btime ")) continue;
    if (const auto value = parse_unsigned(trim(line.substr(6)))) return static_cast<std::int64_t>(*value);
  }
  return Error{ErrorCode::kMalformed, "/proc/stat: no btime"};
}

// proc_pid_stat(5): the name may hold anything, the fields after its last parenthesis do not.
Result<Process> read_process(const Files& files, std::int64_t pid, std::int64_t booted) {
  const std::string path = concat({"/proc/", std::to_string(pid), "/stat"});
  GH_ASSIGN_OR_RETURN(const FileBytes stat, files.read(path, kStatCap));
  const auto open = stat.bytes.find('(');
  const auto close = stat.bytes.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open)
    return Error{ErrorCode::kMalformed, path};
  const auto fields = split_words(std::string_view(stat.bytes).substr(close + 1));
  constexpr std::size_t kParent = 1;
  constexpr std::size_t kTerminal = 4;
  constexpr std::size_t kStarted = 19;  // in clock ticks since the boot
  if (fields.size() <= kStarted) return Error{ErrorCode::kMalformed, path};
  const auto started = parse_unsigned(fields[kStarted]);
  const auto parent = parse_unsigned(fields[kParent]);
  if (!started || !parent) return Error{ErrorCode::kMalformed, path};
  return Process{stat.bytes.substr(open + 1, close - open - 1), static_cast<std::int64_t>(*parent),
                 booted + static_cast<std::int64_t>(*started) / ::sysconf(_SC_CLK_TCK),
                 static_cast<std::int64_t>(parse_unsigned(fields[kTerminal]).value_or(0))};
}

// A virtual console or a serial line: nobody needs the network for it.
bool is_console(std::int64_t terminal) {
  const auto major = (terminal >> 8) & 0xfff;
  return major == 4 || major == 5 || major == 229;
}

}  // namespace

Status watch_window(const TransactionHeader& header, TreeWriter& tree, KernelControl& kernel) {
  if (!kernel.is_held())
    return Error{ErrorCode::kUnsupported,
                 "a tree of files needs no confirmation: --confirm-within is for a live machine"};
  if (!recovers_at_boot(tree.files())) {
    return Error{ErrorCode::kUnsupported,
                 "gpuharden-recover.service is not enabled: a reboot inside the window would keep the change "
                 "(systemctl enable gpuharden-recover.service)"};
  }
  const Clocks clocks = read_clocks();
  const std::int64_t until = header.confirm_until_uptime.value_or(clocks.uptime);
  GH_RETURN_IF_ERROR(start_waiting(until));
  // A logout may end the process that waits: where there is systemd, a timer of its own does the same. Whoever
  // comes second finds nothing to do.
  char program[PATH_MAX];
  const auto length = ::readlink("/proc/self/exe", program, sizeof program);
  if (length <= 0) return {};
  const auto timer = kernel.start_revert_timer(until - clocks.uptime,
                                               std::string(program, static_cast<std::size_t>(length)), {"recover"});
  return timer || timer.error().code == ErrorCode::kUnsupported ? Status() : timer;
}

Status came_after(const Files& files, std::int64_t since, std::int64_t pid) {
  GH_ASSIGN_OR_RETURN(const std::int64_t booted, boot_time(files));
  // The session's own sshd is the first one above: those further up serve others.
  for (int depth = 0; depth < kMaxAncestors && pid > 1; ++depth) {
    GH_ASSIGN_OR_RETURN(const Process process, read_process(files, pid, booted));
    if (process.name == "sshd" || process.name == "sshd-session") {
      if (process.started > since) return {};
      return Error{ErrorCode::kStale,
                   "this SSH session began before the change: log in anew, so that it is known that one still can"};
    }
    if (is_console(process.terminal)) return {};
    pid = process.parent;
  }
  return Error{ErrorCode::kUnsupported,
               "neither an SSH session nor a console: only someone who got in after the change can confirm it"};
}

}  // namespace gpuharden
