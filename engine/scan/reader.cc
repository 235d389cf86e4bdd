// SPDX-License-Identifier: GPL-2.0-or-later
// The parent's side: it knows which table is being read, and for how long.
#include "engine/scan/reader.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/text.h"
#include "engine/native/sandbox.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxRows = 4'000'000;
constexpr int kSendBuffer = 4 << 20;
constexpr std::size_t kReceiveBytes = std::size_t{256} << 10U;
constexpr std::string_view kTimeIsOver = "the time for the whole audit was over";

std::string key_of(const TableRequest& request) {
  std::string key(request.probe->schema.name);
  for (const auto& argument : request.arguments) key += concat({std::string_view("\0", 1), argument.value});
  // The same table with other columns is another question.
  for (const auto& column : request.columns) key += concat({std::string_view("\0\0", 2), column});
  return key;
}

std::string describe_exit(int status) {
  if (WIFSIGNALED(status)) return concat({"the reader was ended by signal ", std::to_string(WTERMSIG(status))});
  return concat({"the reader ended with status ", std::to_string(WEXITSTATUS(status))});
}

std::string read_boot_id(const Host& host) {
  const auto file = host.files().read("/proc/sys/kernel/random/boot_id", 64);
  return file ? std::string(trim(file->bytes)) : std::string();
}

std::string make_hello(const Host& host, const std::vector<std::string>& warnings) {
  const KernelName kernel = host.kernel_name() ? *host.kernel_name() : KernelName{};
  FrameWriter frame(FrameType::kHello);
  frame.text("")
      .text(kernel.sysname)
      .text(kernel.nodename)
      .text(kernel.release)
      .text(kernel.version)
      .text(kernel.machine);
  frame.text(read_boot_id(host)).number(host.is_privileged() ? 1 : 0).number(warnings.size());
  for (const auto& warning : warnings) frame.text(warning);
  return frame.take();
}

void say(int socket, const std::string& frame) {
  // Nobody to tell when this fails: the parent sees the end of the stream.
  if (::write(socket, frame.data(), frame.size()) < 0) ::_exit(1);
}

[[noreturn]] void refuse(int socket, const std::string& why) {
  say(socket, FrameWriter(FrameType::kHello).text(why).take());
  ::_exit(0);
}

// Only the socket and the standard descriptors stay open; the socket becomes 3.
void keep_only(int socket) {
  ::dup2(socket, 3);
  ::close_range(4, ~0U, 0);
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null >= 0) ::dup2(null, 0);
}

[[noreturn]] void reader_process(int inherited_socket, const ReaderOptions& options) {
  keep_only(inherited_socket);
  const int socket = 3;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGINT, SIG_IGN);  // Ctrl-C is the parent's to handle
  const auto host = options.open_host();
  if (!host) refuse(socket, host.error().message);
  const auto warnings = enter_reader_sandbox();
  if (!warnings) refuse(socket, warnings.error().message);
  say(socket, make_hello(**host, *warnings));
  SharedFacts shared;
  run_reader(socket, **host, shared);
  ::_exit(0);  // without taking apart what it knows
}

}  // namespace

ReaderSource::ReaderSource(ReaderOptions options)
    : options_(std::move(options)), end_of_time_(Clock::now() + options_.total_deadline) {}

ReaderSource::~ReaderSource() { leave_behind(); }

Result<std::unique_ptr<ReaderSource>> ReaderSource::launch(ReaderOptions options) {
  std::unique_ptr<ReaderSource> source(new ReaderSource(std::move(options)));  // NOLINT: private constructor
  GH_RETURN_IF_ERROR(source->spawn());
  return source;
}

Result<std::unique_ptr<ReaderSource>> ReaderSource::start(ReaderOptions options) {
  GH_ASSIGN_OR_RETURN(auto source, launch(std::move(options)));
  GH_RETURN_IF_ERROR(source->greet());
  return source;
}

Status ReaderSource::spawn() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return error_from_errno(errno, "socketpair");
  UniqueFd mine(pair[0]);
  const UniqueFd theirs(pair[1]);
  // A reader that is ahead of the parent should not have to wait. Without the right to it, it does.
  ::setsockopt(theirs.get(), SOL_SOCKET, SO_SNDBUFFORCE, &kSendBuffer, sizeof kSendBuffer);
  const pid_t pid = ::fork();
  if (pid < 0) return error_from_errno(errno, "fork");
  if (pid == 0) reader_process(theirs.get(), options_);
  child_ = pid;
  socket_ = std::move(mine);
  buffer_ = {};
  current_ = 0;
  greeted_ = false;
  begun_ = Clock::now();
  return {};
}

Status ReaderSource::wait_for_hello() {
  while (!greeted_) {
    const auto bytes = receive(patience());
    if (bytes.empty()) return Error{ErrorCode::kTimeout, "the reader did not start"};
    buffer_.append(bytes);
    GH_RETURN_IF_ERROR(take_frames());
    if (!refusal_.empty()) return Error{ErrorCode::kIo, refusal_};
  }
  return {};
}

// A reader that hangs in the kernel cannot be waited for, and does not have to be.
void ReaderSource::leave_behind() {
  socket_.reset();
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, WNOHANG);
  child_ = -1;
}

std::chrono::milliseconds ReaderSource::patience() const {
  const auto until = std::min(begun_ + options_.table_deadline, end_of_time_);
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()),
                  std::chrono::milliseconds(0));
}

// Waiting is done in whole milliseconds: what is left of one is nothing.
bool ReaderSource::time_is_over() const { return Clock::now() + std::chrono::milliseconds(1) >= end_of_time_; }

// Bytes from the reader, good until the next call; empty at its end or when patience is over.
std::string_view ReaderSource::receive(std::chrono::milliseconds time) {
  const auto until = Clock::now() + time;
  for (;;) {
    pollfd waiting{socket_.get(), POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return {};
    if (!scratch_) scratch_ = std::make_unique_for_overwrite<char[]>(kReceiveBytes);
    const auto count = ::recv(socket_.get(), scratch_.get(), kReceiveBytes, 0);
    if (count < 0 && errno == EINTR) continue;
    return {scratch_.get(), count < 0 ? 0 : static_cast<std::size_t>(count)};
  }
}

void ReaderSource::send(const std::string& frame) {
  std::string_view rest = frame;
  while (!rest.empty() && socket_) {
    const auto count = ::send(socket_.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // pump() finds out that the reader is gone
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::uint64_t ReaderSource::ask(TableRequest request) {
  const auto key = key_of(request);
  const auto known = ids_.find(key);
  if (known != ids_.end()) return known->second;
  const auto id = next_id_++;
  if (pending_.empty() || current_ == 0) begun_ = Clock::now();
  send(write_request(id, request));
  auto data = make_table_data(request);
  pending_[id] = {std::move(request), std::move(data), false};
  ids_[key] = id;
  return id;
}

void ReaderSource::expect(std::vector<TableRequest> requests) {
  for (auto& request : requests) ask(std::move(request));
}

std::unique_ptr<TableData> ReaderSource::read(const TableRequest& request) {
  const auto id = ask(request);
  Pending& pending = pending_[id];
  while (!pending.done) pump();
  ids_.erase(key_of(request));
  auto data = std::move(pending.data);
  pending_.erase(id);
  return data;
}

bool ReaderSource::is_busy() const {
  return std::any_of(pending_.begin(), pending_.end(), [](const auto& entry) { return !entry.second.done; });
}

std::vector<const Probe*> ReaderSource::take() {
  if (is_busy()) pump();
  return std::exchange(arrived_, {});
}

std::vector<const Probe*> ReaderSource::wait() {
  while (arrived_.empty() && is_busy()) pump();
  return std::exchange(arrived_, {});
}

void ReaderSource::finish(Pending& pending) {
  pending.done = true;
  arrived_.push_back(pending.request.probe);
}

void ReaderSource::pump() {
  if (!socket_) return fail_everything(end_reason_);
  const auto bytes = receive(patience());
  if (!bytes.empty()) {
    buffer_.append(bytes);
    const auto status = take_frames();
    if (!status) replace(status.error().message);
    return;
  }
  if (time_is_over()) return fail_everything(std::string(kTimeIsOver));
  int status = 0;
  // An ended reader may take a moment to become waitable; a hanging one never does.
  for (int i = 0; i < 50; ++i) {
    if (child_ > 0 && ::waitpid(child_, &status, WNOHANG) == child_) {
      child_ = -1;
      return replace(describe_exit(status));
    }
    if (patience().count() == 0) break;
    ::usleep(1000);
  }
  replace(concat({"no answer within ", std::to_string(options_.table_deadline.count()), " ms"}));
}

Status ReaderSource::take_frames() {
  for (;;) {
    const auto payload = buffer_.next();
    if (!payload) return payload.error();
    if (payload->empty()) break;
    GH_RETURN_IF_ERROR(take_frame(*payload));
  }
  buffer_.compact();
  return {};
}

Status ReaderSource::take_frame(std::string_view payload) {
  const Error nonsense{ErrorCode::kMalformed, "the reader said something that makes no sense"};
  FrameReader frame(payload.substr(1));
  const auto type = static_cast<FrameType>(payload[0]);
  if (type == FrameType::kHello) {
    refusal_ = frame.text();
    hello_.kernel = {std::string(frame.text()), std::string(frame.text()), std::string(frame.text()),
                     std::string(frame.text()), std::string(frame.text())};
    hello_.boot_id = frame.text();
    hello_.privileged = frame.number() != 0;
    hello_.warnings.clear();
    for (auto left = frame.number(); left > 0 && frame.ok(); --left) hello_.warnings.emplace_back(frame.text());
    greeted_ = true;
    return {};
  }
  if (type == FrameType::kBegin) {
    current_ = frame.number();
    begun_ = Clock::now();
    const auto begun = pending_.find(current_);
    if (begun == pending_.end()) return nonsense;
    if (options_.on_table) options_.on_table(begun->second.request.probe->schema.name);
    return {};
  }
  const auto found = pending_.find(current_);
  if (found == pending_.end()) return nonsense;
  Pending& pending = found->second;
  if (type == FrameType::kRow) {
    cells_.clear();
    while (!frame.at_end() && frame.ok()) cells_.push_back(frame.value());
    if (!frame.ok() || cells_.size() != pending.data->kept_count() || pending.data->row_count() >= kMaxRows)
      return nonsense;
    pending.data->add_kept(cells_);
  } else if (type == FrameType::kGap) {
    Gap gap{std::string(pending.request.probe->schema.name), std::string(frame.text()), std::string(frame.text()),
            static_cast<ErrorCode>(std::min<std::uint64_t>(frame.number(), static_cast<std::uint64_t>(ErrorCode::kIo))),
            std::string(frame.text())};
    if (!frame.ok()) return nonsense;
    pending.data->add_gap(std::move(gap));
  } else if (type == FrameType::kFailure) {
    pending.data->set_failure(std::string(frame.text()));
  } else if (type == FrameType::kEnd) {
    finish(pending);
    current_ = 0;
    begun_ = Clock::now();
  } else {
    return nonsense;
  }
  return {};
}

// The table that was being read is lost; everything else is asked of a new reader.
void ReaderSource::replace(const std::string& why) {
  leave_behind();
  auto lost = pending_.find(current_);
  // A reader that failed between two tables failed at the first that is not done.
  if (lost == pending_.end() || lost->second.done) {
    lost = std::find_if(pending_.begin(), pending_.end(), [](const auto& entry) { return !entry.second.done; });
  }
  if (lost != pending_.end()) {
    lost->second.data->set_failure(concat({"reading table ", lost->second.request.probe->schema.name, ": ", why}));
    finish(lost->second);
  }
  if (time_is_over()) return fail_everything(std::string(kTimeIsOver));
  Status status = spawn();
  if (status) status = wait_for_hello();
  if (!status) return fail_everything(time_is_over() ? std::string(kTimeIsOver) : status.error().message);
  for (const auto& [id, pending] : pending_) {
    if (!pending.done) send(write_request(id, pending.request));
  }
}

void ReaderSource::fail_everything(const std::string& why) {
  leave_behind();
  end_reason_ = why;
  for (auto& [id, pending] : pending_) {
    if (pending.done) continue;
    pending.data->set_failure(concat({"reading table ", pending.request.probe->schema.name, ": ", why}));
    finish(pending);
  }
}

}  // namespace gpuharden
