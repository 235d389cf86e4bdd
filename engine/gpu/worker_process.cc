// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/gpu/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxLines = 4096;
constexpr int kHeld = 3;
constexpr auto kGrace = std::chrono::milliseconds(500);

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const auto& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Never comes back. What a vendor's library prints is nobody's.
[[noreturn]] void become_worker(const WorkerCommand& command, int pipe) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(null, 0);
  ::dup2(pipe, 1);
  ::dup2(null, 2);
  if (command.held >= 0) ::dup2(command.held, kHeld);
  ::close_range(command.held >= 0 ? kHeld + 1 : kHeld, ~0U, 0);
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
  ::signal(SIGINT, SIG_DFL);
  ::umask(077);
  std::vector<std::string> arguments = {command.program};
  arguments.insert(arguments.end(), command.arguments.begin(), command.arguments.end());
  ::execve(command.program.c_str(), pointers(arguments).data(), pointers(command.environment).data());
  ::_exit(127);
}

class Worker {
 public:
  Worker(const WorkerCommand& command, WorkerTranscript& transcript)
      : transcript_(transcript), started_(Clock::now()), until_(started_ + command.deadline) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      transcript_.fault = error_from_errno(errno, "gpu-worker: pipe").message;
      return;
    }
    pipe_.reset(ends[0]);
    const UniqueFd theirs(ends[1]);
    pid_ = ::fork();
    if (pid_ == 0) become_worker(command, theirs.get());
    if (pid_ < 0) transcript_.fault = error_from_errno(errno, "gpu-worker: fork").message;
    if (pid_ < 0) pipe_.reset();
  }

  // Whether there is more to come.
  bool is_open() const { return static_cast<bool>(pipe_); }
  int descriptor() const { return pipe_.get(); }
  Clock::time_point until() const { return until_; }

  void take() {
    std::array<char, 65536> block{};
    const auto count = ::read(pipe_.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) return finish();
    pending_.append(block.data(), static_cast<std::size_t>(count));
    take_lines();
    if (!transcript_.fault.empty()) give_up();
  }

  void expire() {
    transcript_.timed_out = true;
    give_up();
  }

 private:
  void take_lines() {
    for (auto end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
      auto line = WorkerLine::parse(std::string_view(pending_).substr(0, end));
      pending_.erase(0, end + 1);
      if (!line || transcript_.lines.size() >= kMaxLines) {
        transcript_.fault = line ? "gpu-worker says too much" : line.error().message;
        return;
      }
      transcript_.lines.push_back(std::move(*line));
    }
    if (pending_.size() > kMaxWorkerLine) transcript_.fault = "a line of gpu-worker is too long";
  }

  // It has closed its end: it is about to be gone.
  void finish() {
    pipe_.reset();
    reap(kGrace);
    if (!is_reaped_) give_up();
    took();
  }

  void give_up() {
    pipe_.reset();
    if (!is_reaped_) {
      ::kill(pid_, SIGTERM);
      reap(kGrace);
    }
    transcript_.left_behind = !is_reaped_;
    took();
  }

  void took() { transcript_.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_); }

  void reap(std::chrono::milliseconds patience) {
    const auto until = Clock::now() + patience;
    for (;;) {
      int status = 0;
      const pid_t gone = ::waitpid(pid_, &status, WNOHANG);
      if (gone == pid_) {
        is_reaped_ = true;
        if (WIFEXITED(status)) transcript_.exit_code = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) transcript_.signal = WTERMSIG(status);
        return;
      }
      if (Clock::now() >= until) return;
      ::usleep(1000);
    }
  }

  WorkerTranscript& transcript_;
  Clock::time_point started_, until_;
  UniqueFd pipe_;
  pid_t pid_ = -1;
  bool is_reaped_ = false;
  std::string pending_;
};

// Waits for the next words of any of them, or for the next deadline.
void pump(std::vector<Worker>& workers) {
  std::vector<pollfd> waiting;
  auto next = Clock::time_point::max();
  for (const auto& worker : workers) {
    if (!worker.is_open()) continue;
    waiting.push_back({worker.descriptor(), POLLIN, 0});
    next = std::min(next, worker.until());
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(next - Clock::now()).count() + 1;
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(std::clamp<std::int64_t>(left, 0, 1000))) < 0) return;
  std::size_t at = 0;
  for (auto& worker : workers) {
    if (!worker.is_open()) continue;
    const bool is_ready = waiting.at(at++).revents != 0;
    if (Clock::now() >= worker.until()) {
      worker.expire();
    } else if (is_ready) {
      worker.take();
    }
  }
}

}  // namespace

std::vector<WorkerTranscript> run_workers(const std::vector<WorkerCommand>& commands) {
  std::vector<WorkerTranscript> transcripts(commands.size());
  std::vector<Worker> workers;
  workers.reserve(commands.size());
  for (std::size_t i = 0; i < commands.size(); ++i) workers.emplace_back(commands[i], transcripts[i]);
  const auto is_open = [](const Worker& worker) { return worker.is_open(); };
  while (std::any_of(workers.begin(), workers.end(), is_open)) pump(workers);
  return transcripts;
}

}  // namespace gpuharden
