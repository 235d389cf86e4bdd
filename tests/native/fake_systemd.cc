// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/native/fake_systemd.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

namespace gpuharden::test {
namespace {

// The library is loaded as the product loads it: the tests link nothing else.
template <typename Function>
Function of_library(const char* name) {
  static void* const library = ::dlopen("libsystemd.so.0", RTLD_NOW);
  return reinterpret_cast<Function>(::dlsym(library, name));
}
#define SD(name) of_library<decltype(&::name)>(#name)

constexpr const char* kManagerPath = "/org/freedesktop/systemd1";
constexpr const char* kManager = "org.freedesktop.systemd1.Manager";

struct Manager {
  sd_bus* bus = nullptr;
  Behaviour behaviour = Behaviour::kWorks;
  int log = -1;
  std::uint32_t jobs = 0;
  void tell(const std::string& line) const {
    if (::write(log, (line + "\n").c_str(), line.size() + 1) < 0) ::_exit(1);
  }
};

std::string path_of(std::string_view unit) {
  return std::string("/org/freedesktop/systemd1/unit/") + (unit.starts_with("auditd") ? "auditd" : "ollama");
}

int no_such_unit(sd_bus_message* call, const char* unit) {
  return SD(sd_bus_reply_method_errorf)(call, "org.freedesktop.systemd1.NoSuchUnit", "Unit %s not loaded.", unit);
}

int answer_with_job(sd_bus_message* call, Manager& manager, const char* unit) {
  const std::string job = "/org/freedesktop/systemd1/job/" + std::to_string(++manager.jobs);
  const int sent = SD(sd_bus_reply_method_return)(call, "o", job.c_str());
  if (manager.behaviour == Behaviour::kJobHangs) return sent;
  const char* result = manager.behaviour == Behaviour::kJobFails ? "failed" : "done";
  // Another's job first: its end says nothing of ours.
  for (const std::string& path : {std::string("/org/freedesktop/systemd1/job/9999"), job}) {
    SD(sd_bus_emit_signal)
    (manager.bus, kManagerPath, kManager, "JobRemoved", "uoss", manager.jobs, path.c_str(), unit,
     path == job ? result : "canceled");
  }
  return sent;
}

int start_transient(sd_bus_message* call, Manager& manager) {
  const char *name = nullptr, *mode = nullptr, *service = nullptr;
  SD(sd_bus_message_read)(call, "ss", &name, &mode);
  std::string line = std::string("StartTransientUnit ") + name + " " + mode;
  std::uint64_t delay = 0, accuracy = 0;
  const char *base = nullptr, *collect = nullptr, *type = nullptr, *program = nullptr;
  int stays = 1, ignores = 1;
  int code = SD(sd_bus_message_read)(call, "a(sv)", 4, nullptr, "a(st)", 1, &base, &delay, nullptr, "t", &accuracy,
                                     nullptr, "b", &stays, nullptr, "s", &collect);
  line += std::string(" ") + (code < 0 ? "bad" : base) + "=" + std::to_string(delay);
  code = SD(sd_bus_message_enter_container)(call, 'a', "(sa(sv))");
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'r', "sa(sv)");
  code = code < 0 ? code : SD(sd_bus_message_read)(call, "s", &service);
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'a', "(sv)");
  code = code < 0 ? code : SD(sd_bus_message_read)(call, "(sv)(sv)", nullptr, "s", &type, nullptr, "s", &collect);
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'r', "sv");
  code = code < 0 ? code : SD(sd_bus_message_read)(call, "s", nullptr);
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'v', "a(sasb)");
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'a', "(sasb)");
  code = code < 0 ? code : SD(sd_bus_message_enter_container)(call, 'r', "sasb");
  code = code < 0 ? code : SD(sd_bus_message_read)(call, "s", &program);
  char** words = nullptr;
  code = code < 0 ? code : SD(sd_bus_message_read_strv)(call, &words);
  code = code < 0 ? code : SD(sd_bus_message_read)(call, "b", &ignores);
  if (code < 0) return code;
  line += std::string(" ") + service + " " + type + " " + program + ":";
  for (char** word = words; *word != nullptr; ++word) line += std::string(" ") + *word;
  manager.tell(line);
  return answer_with_job(call, manager, name);
}

int handle_manager(sd_bus_message* call, Manager& manager, std::string_view method) {
  const char *unit = "", *mode = "";
  if (method == "StartTransientUnit") return start_transient(call, manager);
  if (method == "RestartUnit" || method == "StopUnit") SD(sd_bus_message_read)(call, "ss", &unit, &mode);
  if (method == "LoadUnit") SD(sd_bus_message_read)(call, "s", &unit);
  if (method != "LoadUnit" && method != "Subscribe")
    manager.tell(std::string(method) + (*unit != '\0' ? " " : "") + unit + (*mode != '\0' ? " " : "") + mode);
  if (method == "LoadUnit") return SD(sd_bus_reply_method_return)(call, "o", path_of(unit).c_str());
  if (method == "Subscribe" || method == "Reload") return SD(sd_bus_reply_method_return)(call, "");
  if (std::string_view(unit).starts_with("gone")) return no_such_unit(call, unit);
  return answer_with_job(call, manager, unit);
}

int handle_property(sd_bus_message* call, const char* path) {
  const char *interface = nullptr, *name = nullptr;
  SD(sd_bus_message_read)(call, "ss", &interface, &name);
  const bool is_auditd = std::string_view(path).ends_with("/auditd");
  const std::string_view wanted(name);
  if (wanted == "LoadState") return SD(sd_bus_reply_method_return)(call, "v", "s", "loaded");
  if (wanted == "ActiveState") return SD(sd_bus_reply_method_return)(call, "v", "s", is_auditd ? "active" : "inactive");
  if (wanted == "NeedDaemonReload") return SD(sd_bus_reply_method_return)(call, "v", "b", is_auditd ? 0 : 1);
  if (wanted == "RefuseManualStop") return SD(sd_bus_reply_method_return)(call, "v", "b", is_auditd ? 1 : 0);
  return SD(sd_bus_reply_method_return)(call, "v", "b", 0);
}

int handle(sd_bus_message* call, void* data, sd_bus_error*) {
  auto& manager = *static_cast<Manager*>(data);
  const char* method = SD(sd_bus_message_get_member)(call);
  if (method == nullptr) return 0;
  if (manager.behaviour == Behaviour::kDies) ::_exit(0);
  if (manager.behaviour == Behaviour::kNeverAnswers) return 1;
  if (std::string_view(method) == "Get") return handle_property(call, SD(sd_bus_message_get_path)(call));
  return handle_manager(call, manager, method);
}

[[noreturn]] void serve(int listener, Manager& manager) {
  const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (manager.behaviour == Behaviour::kNeverGreets) {
    for (;;) ::pause();
  }
  sd_id128_t id{};
  id.bytes[0] = 1;
  SD(sd_bus_new)(&manager.bus);
  SD(sd_bus_set_fd)(manager.bus, connection, connection);
  SD(sd_bus_set_server)(manager.bus, 1, id);
  SD(sd_bus_set_anonymous)(manager.bus, 1);
  SD(sd_bus_add_filter)(manager.bus, nullptr, &handle, &manager);
  if (SD(sd_bus_start)(manager.bus) < 0) ::_exit(1);
  for (;;) {
    const int code = SD(sd_bus_process)(manager.bus, nullptr);
    if (code < 0) ::_exit(0);
    if (code == 0) SD(sd_bus_wait)(manager.bus, UINT64_MAX);
  }
}

}  // namespace

FakeSystemd::FakeSystemd(const std::string& folder, Behaviour behaviour)
    : path_(folder + "/private"), log_(folder + "/log") {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  std::memcpy(name.sun_path, path_.c_str(), std::min(path_.size(), sizeof name.sun_path - 1));
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Manager manager;
  manager.behaviour = behaviour;
  manager.log = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool is_ready = ::bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0 &&
                        ::listen(listener, 4) == 0 && manager.log >= 0;
  child_ = is_ready ? ::fork() : -1;
  if (child_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    serve(listener, manager);
  }
  ::close(listener);
  ::close(manager.log);
}

FakeSystemd::~FakeSystemd() {
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  ::waitpid(child_, nullptr, 0);
}

std::string FakeSystemd::told() const {
  std::ostringstream text;
  text << std::ifstream(log_).rdbuf();
  return text.str();
}

}  // namespace gpuharden::test
