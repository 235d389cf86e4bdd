// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine/native/systemd_bus.h"

#include <sys/stat.h>
#include <systemd/sd-bus.h>

#include <cerrno>
#include <map>

#include "engine/base/text.h"
#include "engine/native/lazy_library.h"

namespace gpuharden {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLibrary = "libsystemd.so.0";
constexpr const char* kService = "org.freedesktop.systemd1";
constexpr const char* kPath = "/org/freedesktop/systemd1";
constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
// Reading all units anew takes some time on a large machine; starting a model server takes longer.
constexpr auto kPatience = std::chrono::seconds(120);

struct Functions {
  decltype(&::sd_bus_new) make = nullptr;
  decltype(&::sd_bus_close_unref) close = nullptr;
  decltype(&::sd_bus_set_address) set_address = nullptr;
  decltype(&::sd_bus_set_bus_client) set_bus_client = nullptr;
  decltype(&::sd_bus_set_method_call_timeout) set_timeout = nullptr;
  decltype(&::sd_bus_start) start = nullptr;
  decltype(&::sd_bus_is_ready) is_ready = nullptr;
  decltype(&::sd_bus_call) call = nullptr;
  decltype(&::sd_bus_process) process = nullptr;
  decltype(&::sd_bus_wait) wait = nullptr;
  decltype(&::sd_bus_match_signal) match_signal = nullptr;
  decltype(&::sd_bus_error_free) free_error = nullptr;
  decltype(&::sd_bus_get_property_string) text_property = nullptr;
  decltype(&::sd_bus_get_property_trivial) plain_property = nullptr;
  decltype(&::sd_bus_message_new_method_call) new_call = nullptr;
  decltype(&::sd_bus_message_unref) free_message = nullptr;
  decltype(&::sd_bus_message_append) append = nullptr;
  decltype(&::sd_bus_message_open_container) open_container = nullptr;
  decltype(&::sd_bus_message_close_container) close_container = nullptr;
  decltype(&::sd_bus_message_read) read = nullptr;
};

Result<Functions> load_functions() {
  GH_ASSIGN_OR_RETURN(LazyLibrary library, LazyLibrary::open(kLibrary));
  Functions functions;
  library.find("sd_bus_new", functions.make);
  library.find("sd_bus_close_unref", functions.close);
  library.find("sd_bus_set_address", functions.set_address);
  library.find("sd_bus_set_bus_client", functions.set_bus_client);
  library.find("sd_bus_set_method_call_timeout", functions.set_timeout);
  library.find("sd_bus_start", functions.start);
  library.find("sd_bus_is_ready", functions.is_ready);
  library.find("sd_bus_call", functions.call);
  library.find("sd_bus_process", functions.process);
  library.find("sd_bus_wait", functions.wait);
  library.find("sd_bus_match_signal", functions.match_signal);
  library.find("sd_bus_error_free", functions.free_error);
  library.find("sd_bus_get_property_string", functions.text_property);
  library.find("sd_bus_get_property_trivial", functions.plain_property);
  library.find("sd_bus_message_new_method_call", functions.new_call);
  library.find("sd_bus_message_unref", functions.free_message);
  library.find("sd_bus_message_append", functions.append);
  library.find("sd_bus_message_open_container", functions.open_container);
  library.find("sd_bus_message_close_container", functions.close_container);
  library.find("sd_bus_message_read", functions.read);
  GH_RETURN_IF_ERROR(library.is_whole());
  return functions;
}

Error failure(std::string_view what, int code, const sd_bus_error* error) {
  Error out = error_from_errno(-code, concat({"systemd: ", what}));
  if (code == -ETIMEDOUT || code == -ETIME) return {ErrorCode::kTimeout, concat({"systemd: ", what, ": no answer"})};
  if (error == nullptr || error->message == nullptr) return out;
  const std::string_view name = error->name == nullptr ? "" : error->name;
  const bool is_known = out.code == ErrorCode::kPermission || out.code == ErrorCode::kNotFound;
  out.code = name.ends_with(".NoSuchUnit") ? ErrorCode::kNotFound : is_known ? out.code : ErrorCode::kLibrary;
  out.message = concat({"systemd: ", what, ": ", escape_for_terminal(error->message)});
  return out;
}

}  // namespace

// One connection, and the jobs that it has heard the end of.
struct SystemdBus::Connection {
  explicit Connection(const Functions& the_functions) : functions(the_functions) {}
  ~Connection() {
    functions.free_error(&error);
    if (bus != nullptr) functions.close(bus);
  }

  Status connect(const std::string& address, bool is_bus, std::chrono::milliseconds the_patience) {
    patience = the_patience;
    int code = functions.make(&bus);
    if (code >= 0) code = functions.set_address(bus, address.c_str());
    if (code >= 0 && is_bus) code = functions.set_bus_client(bus, 1);
    if (code >= 0) code = functions.set_timeout(bus, static_cast<std::uint64_t>(patience.count()) * 1000);
    if (code >= 0) code = functions.start(bus);
    if (code < 0) return failure("connecting", code, nullptr);
    // sd-bus gives a manager that does not greet 90 seconds, whatever it was told.
    return wait_until("connecting", [&] { return functions.is_ready(bus) != 0; });
  }

  sd_bus_error* fresh_error() {
    functions.free_error(&error);
    error = SD_BUS_ERROR_NULL;
    return &error;
  }

  // A method of the manager; the object path that it answers with.
  template <typename... Arguments>
  Result<std::string> manage(std::string_view what, const char* method, bool has_path, const char* types,
                             Arguments... arguments) {
    sd_bus_message* request = nullptr;
    int code = functions.new_call(bus, &request, kService, kPath, kManager, method);
    if (code >= 0 && *types != '\0') code = functions.append(request, types, arguments...);
    auto answer = code < 0 ? Result<std::string>(failure(what, code, nullptr)) : send(what, request, has_path);
    functions.free_message(request);
    return answer;
  }

  Status order(std::string_view what, const char* method) {
    auto done = manage(what, method, false, "");
    return done ? Status() : Status(std::move(done).error());
  }

  Result<std::string> send(std::string_view what, sd_bus_message* request, bool has_path) {
    sd_bus_message* answer = nullptr;
    auto* problem = fresh_error();
    int code = functions.call(bus, request, static_cast<std::uint64_t>(patience.count()) * 1000, problem, &answer);
    const char* path = "";
    if (code >= 0 && has_path) code = functions.read(answer, "o", &path);
    const auto text = code < 0 ? Result<std::string>(failure(what, code, problem)) : Result<std::string>(path);
    functions.free_message(answer);
    return text;
  }

  Result<std::string> text_of(const std::string& path, const char* property) {
    char* text = nullptr;
    auto* problem = fresh_error();
    const int code = functions.text_property(bus, kService, path.c_str(), kUnit, property, problem, &text);
    if (code < 0) return failure(property, code, problem);
    const std::unique_ptr<char, decltype(&::free)> owner(text, &::free);
    return std::string(text);
  }

  Result<bool> flag_of(const std::string& path, const char* property) {
    int value = 0;
    auto* problem = fresh_error();
    const int code = functions.plain_property(bus, kService, path.c_str(), kUnit, property, problem, 'b', &value);
    if (code < 0) return failure(property, code, problem);
    return value != 0;
  }

  static int job_removed(sd_bus_message* message, void* connection, sd_bus_error*) {
    auto* self = static_cast<Connection*>(connection);
    std::uint32_t id = 0;
    const char *path = nullptr, *unit = nullptr, *result = nullptr;
    if (self->functions.read(message, "uoss", &id, &path, &unit, &result) >= 0) self->ended[path] = result;
    return 0;
  }

  // Signals of jobs are sent to those who asked for them.
  Status subscribe() {
    if (is_subscribed) return {};
    const int code =
        functions.match_signal(bus, nullptr, nullptr, kPath, kManager, "JobRemoved", &Connection::job_removed, this);
    if (code < 0) return failure("listening for jobs", code, nullptr);
    is_subscribed = true;
    return order("listening for jobs", "Subscribe");
  }

  // Handles what comes in until `is_over` says so.
  template <typename IsOver>
  Status wait_until(std::string_view what, IsOver is_over) {
    const auto until = Clock::now() + patience;
    while (!is_over()) {
      const int code = functions.process(bus, nullptr);
      if (code < 0) return failure(what, code, nullptr);
      if (code > 0) continue;
      const auto left = std::chrono::duration_cast<std::chrono::microseconds>(until - Clock::now()).count();
      if (left <= 0) return failure(what, -ETIMEDOUT, nullptr);
      const int waited = functions.wait(bus, static_cast<std::uint64_t>(left));
      if (waited < 0 && waited != -EINTR) return failure(what, waited, nullptr);
    }
    return {};
  }

  Status run_job(const std::string& what, const char* method, const std::string& name) {
    GH_RETURN_IF_ERROR(subscribe());
    GH_ASSIGN_OR_RETURN(const std::string job, manage(what, method, true, "ss", name.c_str(), "replace"));
    return end_job(what, job);
  }

  Status end_job(const std::string& what, const std::string& job) {
    GH_RETURN_IF_ERROR(wait_until(what, [&] { return ended.contains(job); }));
    if (ended[job] == "done") return {};
    return Error{ErrorCode::kLibrary, concat({"systemd: ", what, ": the job ended as \"", ended[job], "\""})};
  }

  Functions functions;
  std::chrono::milliseconds patience = kPatience;
  sd_bus* bus = nullptr;
  bool is_subscribed = false;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  std::map<std::string, std::string> ended;  // results by job
};

SystemdBus::SystemdBus(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
SystemdBus::~SystemdBus() = default;

Result<std::unique_ptr<SystemdBus>> SystemdBus::open() {
  struct stat found {};
  if (::lstat("/run/systemd/system", &found) != 0 || !S_ISDIR(found.st_mode))
    return Error{ErrorCode::kUnsupported, "systemd does not run here"};
  auto direct = open_at("unix:path=/run/systemd/private", kPatience, Peer::kManager);
  if (direct || direct.error().code == ErrorCode::kUnsupported) return direct;
  return open_at("unix:path=/run/dbus/system_bus_socket", kPatience, Peer::kBus);
}

Result<std::unique_ptr<SystemdBus>> SystemdBus::open_at(const std::string& address, std::chrono::milliseconds patience,
                                                        Peer peer) {
  GH_ASSIGN_OR_RETURN(const Functions functions, load_functions());
  auto connection = std::make_unique<Connection>(functions);
  GH_RETURN_IF_ERROR(connection->connect(address, peer == Peer::kBus, patience));
  return std::unique_ptr<SystemdBus>(new SystemdBus(std::move(connection)));
}

Result<BusUnit> SystemdBus::unit(const std::string& name) {
  auto& bus = *connection_;
  GH_ASSIGN_OR_RETURN(const std::string path, bus.manage(name, "LoadUnit", true, "s", name.c_str()));
  GH_ASSIGN_OR_RETURN(const std::string load, bus.text_of(path, "LoadState"));
  GH_ASSIGN_OR_RETURN(const std::string active, bus.text_of(path, "ActiveState"));
  BusUnit unit;
  unit.is_loaded = load == "loaded";
  unit.is_active = active == "active" || active == "activating" || active == "reloading";
  GH_ASSIGN_OR_RETURN(unit.needs_reload, bus.flag_of(path, "NeedDaemonReload"));
  GH_ASSIGN_OR_RETURN(unit.refuses_start, bus.flag_of(path, "RefuseManualStart"));
  GH_ASSIGN_OR_RETURN(unit.refuses_stop, bus.flag_of(path, "RefuseManualStop"));
  return unit;
}

Status SystemdBus::reload() { return connection_->order("reading the units anew", "Reload"); }

Status SystemdBus::restart(const std::string& name) {
  return connection_->run_job(concat({"restarting ", name}), "RestartUnit", name);
}

// systemd-run makes its timers of the same properties.
Status SystemdBus::start_timer(const std::string& name, std::chrono::seconds after, const std::string& program,
                               const std::vector<std::string>& arguments) {
  GH_RETURN_IF_ERROR(connection_->subscribe());
  const auto& calls = connection_->functions;
  const std::string timer = name + ".timer", service = name + ".service";
  constexpr std::uint64_t kSecond = 1000000;
  sd_bus_message* request = nullptr;
  int code = calls.new_call(connection_->bus, &request, kService, kPath, kManager, "StartTransientUnit");
  // Each step is done only where all before it were.
  const auto step = [&](auto function, auto... values) {
    if (code >= 0) code = function(request, values...);
  };
  step(calls.append, "ssa(sv)", timer.c_str(), "fail", 4, "TimersMonotonic", "a(st)", 1, "OnActiveSec",
       static_cast<std::uint64_t>(after.count()) * kSecond, "AccuracyUSec", "t", kSecond, "RemainAfterElapse", "b", 0,
       "CollectMode", "s", "inactive-or-failed");
  step(calls.open_container, 'a', "(sa(sv))");
  step(calls.open_container, 'r', "sa(sv)");
  step(calls.append, "s", service.c_str());
  step(calls.open_container, 'a', "(sv)");
  step(calls.append, "(sv)(sv)", "Type", "s", "oneshot", "CollectMode", "s", "inactive-or-failed");
  step(calls.open_container, 'r', "sv");
  step(calls.append, "s", "ExecStart");
  step(calls.open_container, 'v', "a(sasb)");
  step(calls.open_container, 'a', "(sasb)");
  step(calls.open_container, 'r', "sasb");
  step(calls.append, "s", program.c_str());
  step(calls.open_container, 'a', "s");
  step(calls.append, "s", program.c_str());
  for (const auto& argument : arguments) step(calls.append, "s", argument.c_str());
  step(calls.close_container);
  step(calls.append, "b", 0);
  for (int open = 0; open < 7; ++open) step(calls.close_container);
  const std::string what = "starting " + timer;
  auto job = code < 0 ? Result<std::string>(failure(what, code, nullptr)) : connection_->send(what, request, true);
  calls.free_message(request);
  if (!job) return std::move(job).error();
  return connection_->end_job(what, *job);
}

Status SystemdBus::stop(const std::string& name) {
  auto stopped = connection_->run_job(concat({"stopping ", name}), "StopUnit", name);
  if (!stopped && stopped.error().code == ErrorCode::kNotFound) return {};
  return stopped;
}

}  // namespace gpuharden
