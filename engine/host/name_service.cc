// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/host/name_service.h"

#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "engine/base/text.h"
#include "engine/host/nsswitch.h"

namespace gpuharden {
namespace {

constexpr std::size_t kMaxGroupBytes = std::size_t{64} << 20U;
constexpr auto kDeadline = std::chrono::seconds(5);
constexpr uid_t kNobody = 65534;

// A reply is its length, then lines: status, gid, members. The status is "ok" or an errno.
std::string look_up(const std::string& name) {
  std::vector<char> buffer(16384);
  group entry{};
  group* found = nullptr;
  int code = 0;
  while ((code = ::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found)) == ERANGE) {
    if (buffer.size() >= kMaxGroupBytes) break;
    buffer.resize(buffer.size() * 4);
  }
  if (found == nullptr) return std::to_string(code == 0 ? ENOENT : code);
  std::string reply = "ok\n" + std::to_string(entry.gr_gid);
  for (char** member = entry.gr_mem; *member != nullptr; ++member) reply += concat({"\n", *member});
  return reply;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool send_text(int socket, std::string_view text) {
  const auto size = static_cast<std::uint32_t>(text.size());
  return send_all(socket, {reinterpret_cast<const char*>(&size), sizeof size}) && send_all(socket, text);
}

// The next text, waiting until `until`; nothing at the end of the stream or of the time.
std::optional<std::string> receive_text(int socket, std::optional<std::chrono::steady_clock::time_point> until) {
  std::string bytes;
  std::size_t wanted = sizeof(std::uint32_t);
  bool has_size = false;
  while (bytes.size() < wanted) {
    int patience = -1;
    if (until) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*until - std::chrono::steady_clock::now());
      patience = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    }
    pollfd waiting{socket, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, patience);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return std::nullopt;
    std::string block(std::min<std::size_t>(wanted - bytes.size(), 65536), '\0');
    const auto count = ::recv(socket, block.data(), block.size(), 0);
    if (count <= 0) return std::nullopt;
    bytes.append(block, 0, static_cast<std::size_t>(count));
    if (has_size || bytes.size() < wanted) continue;
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size > kMaxGroupBytes) return std::nullopt;
    has_size = true;
    bytes.clear();
    wanted = size;
  }
  return bytes;
}

[[noreturn]] void serve(int socket) {
  ::dup2(socket, 3);
  ::close_range(4, ~0U, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
                           ::setresuid(kNobody, kNobody, kNobody) != 0)) {
    ::_exit(1);
  }
  while (const auto name = receive_text(3, std::nullopt)) {
    if (!send_text(3, look_up(*name))) break;
  }
  ::_exit(0);
}

Result<DirectoryGroup> parse_reply(std::string_view name, std::string_view reply) {
  const auto lines = split(reply, '\n');
  if (lines[0] != "ok") {
    const auto code = parse_unsigned(lines[0]);
    return error_from_errno(code ? static_cast<int>(*code) : EIO, concat({name, ": the name service"}));
  }
  const auto gid = lines.size() > 1 ? parse_unsigned(lines[1]) : std::nullopt;
  if (!gid)
    return Error{ErrorCode::kMalformed, concat({name, ": the name service said something that makes no sense"})};
  DirectoryGroup group{static_cast<std::uint32_t>(*gid), {}};
  for (std::size_t i = 2; i < lines.size(); ++i) group.members.emplace_back(lines[i]);
  return group;
}

}  // namespace

bool asks_a_directory(std::string_view nsswitch, std::string_view database) {
  const auto sources = parse_nsswitch(nsswitch, database);
  return std::any_of(sources.begin(), sources.end(), is_directory_source);
}

Status NameService::start() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return error_from_errno(errno, "name service: socketpair");
  UniqueFd mine(pair[0]);
  const UniqueFd theirs(pair[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return error_from_errno(errno, "name service: fork");
  if (pid == 0) serve(theirs.get());
  socket_ = std::move(mine);
  return {};
}

Result<DirectoryGroup> NameService::group(std::string_view name) {
  if (!socket_) return Error{ErrorCode::kUnsupported, concat({name, ": the name service was not asked"})};
  const Error stuck{ErrorCode::kTimeout, concat({name, ": the name service did not answer"})};
  if (is_stuck_) return stuck;
  const auto reply = send_text(socket_.get(), name)
                         ? receive_text(socket_.get(), std::chrono::steady_clock::now() + kDeadline)
                         : std::nullopt;
  is_stuck_ = !reply;
  if (!reply) return stuck;
  return parse_reply(name, *reply);
}

}  // namespace gpuharden
