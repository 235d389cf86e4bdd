// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/child_call.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "engine/base/handle.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

using Clock = std::chrono::steady_clock;

// The first byte of an answer; of an error the second is its code.
constexpr char kValue = 'v';
constexpr char kError = 'e';

std::string encode(const Result<std::string>& result) {
  if (result) return kValue + *result;
  return std::string{kError, static_cast<char>(result.error().code)} + result.error().message;
}

Result<std::string> decode(std::string_view what, std::string answer) {
  if (!answer.empty() && answer[0] == kValue) return answer.substr(1);
  if (answer.size() > 1 && answer[0] == kError) return Error{static_cast<ErrorCode>(answer[1]), answer.substr(2)};
  return Error{ErrorCode::kLibrary, concat({what, ": the process that asked died"})};
}

// An exception must not unwind into what the caller was doing: noexcept makes it end the child.
[[noreturn]] void serve(int out, pid_t parent, const std::function<Result<std::string>()>& work) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  // The parent may have died before the line above.
  if (::getppid() != parent) ::_exit(1);
  ::signal(SIGPIPE, SIG_DFL);
  ::clearenv();
  const std::string answer = encode(work());
  std::string_view left = answer;
  while (!left.empty()) {
    const auto count = ::write(out, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) ::_exit(1);
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  ::_exit(0);
}

Result<std::string> read_answer(std::string_view what, int fd, Clock::time_point until) {
  std::string answer;
  std::string block(65536, '\0');
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{fd, POLLIN, 0};
    const int ready = left > 0 ? ::poll(&waiting, 1, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready < 0) return error_from_errno(errno, what);
    if (ready == 0) return Error{ErrorCode::kTimeout, concat({what, ": no answer in time"})};
    const auto count = ::read(fd, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error_from_errno(errno, what);
    if (count == 0) return answer;
    answer.append(block, 0, static_cast<std::size_t>(count));
    if (answer.size() > kMaxChildAnswer) return Error{ErrorCode::kTooLarge, concat({what, ": too long an answer"})};
  }
}

}  // namespace

Result<std::string> call_in_child(std::string_view what, std::chrono::milliseconds patience,
                                  const std::function<Result<std::string>()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return error_from_errno(errno, what);
  const UniqueFd mine(ends[0]);
  UniqueFd theirs(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return error_from_errno(errno, what);
  if (child == 0) serve(theirs.get(), parent, work);
  theirs.reset();
  auto answer = read_answer(what, mine.get(), Clock::now() + patience);
  if (!answer) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answer) return std::move(answer).error();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return decode(what, "");
  return decode(what, std::move(*answer));
}

}  // namespace gpuharden
