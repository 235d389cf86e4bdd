// SPDX-License-Identifier: GPL-2.0-or-later
// The model servers and their kin that run, with the settings they were started with.
#include "checks/accounts/accounts.h"
#include "checks/process/ai_services.h"
#include "checks/process/process_facts.h"
#include "checks/services/service_rows.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

constexpr std::size_t kEnvironmentCap = std::size_t{4} << 20U;

class RunningServices {
 public:
  explicit RunningServices(TableReader& out)
      : out_(out),
        facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)),
        accounts_(out.shared().get<Accounts>(out.host(), &read_accounts)) {
    if (const auto first = facts_.net_namespace(1)) host_namespace_ = *first;
  }

  void read() {
    if (facts_.list_error()) out_.gap(*facts_.list_error());
    for (const auto process : facts_.processes()) {
      if (auto call = call_of(process)) add(process, std::move(*call));
    }
  }

 private:
  // A process whose arguments cannot be seen may be any service.
  std::optional<ServiceCall> call_of(ProcessId process) {
    const auto& arguments = facts_.arguments(process);
    if (!arguments) {
      if (arguments.error().code != ErrorCode::kNotFound) out_.gap("*", "*", arguments.error());
      return std::nullopt;
    }
    ProcessIdentity identity;
    if (const auto& name = facts_.name(process)) identity.name = *name;
    if (const auto& executable = facts_.executable(process)) identity.executable = *executable;
    identity.arguments = *arguments;
    const auto* service = find_service(identity);
    return service_call(service, std::move(identity.arguments));
  }

  ServiceEnvironment environment_of(ProcessId process) const {
    ServiceEnvironment out;
    const auto file = out_.files().read(concat({"/proc/", std::to_string(process), "/environ"}), kEnvironmentCap);
    if (!file) {
      out.error = file.error();
      return out;
    }
    if (file->truncated) out.error = Error{ErrorCode::kTooLarge, "environment too large, its end was not read"};
    for (const auto entry : split(file->bytes, '\0')) {
      const auto equals = entry.find('=');
      if (equals == std::string_view::npos || equals == 0) continue;
      // The first of several is what getenv() finds.
      out.variables.try_emplace(std::string(entry.substr(0, equals)),
                                ServiceVariable{std::string(entry.substr(equals + 1)), {}, 0});
    }
    return out;
  }

  std::string home_of(std::uint32_t uid) const {
    for (const auto& user : accounts_.users) {
      if (user.uid == uid) return user.home;
    }
    return {};
  }

  void set_user(Row& row, std::uint32_t uid) const {
    const auto name = user_name(accounts_, uid);
    row.set("user", name && *name ? **name : std::to_string(uid));
  }

  void set_identity(Row& row, ProcessId process, ServicePlace& place) {
    row.set("source", "process").set("pid", process);
    if (const auto& status = facts_.status(process)) {
      place.uid = status->uid;
      if (place.uid) set_user(row, *place.uid);
    }
    const auto& group = facts_.group(process);
    if (group) row.set("unit", group->unit).set("container", group->container);
    if (group && !group->container && place.uid) place.home = home_of(*place.uid);
    if (const auto& exe = facts_.executable(process)) row.set("exe", without_deleted(*exe));
    const auto own = facts_.net_namespace(process);
    if (!own) {
      row.unread("host_network", kernel_fact_error(out_.host(), own.error()));
    } else if (host_namespace_.empty()) {
      row.unread("host_network", {ErrorCode::kNotHeld, "the network namespace of process 1 is not known"});
    } else {
      row.set("host_network", *own == host_namespace_);
    }
  }

  void add(ProcessId process, ServiceCall call) {
    const auto environment = environment_of(process);
    if (environment.error && environment.error->code == ErrorCode::kNotFound) {
      if (!facts_.status(process)) return;  // it ended meanwhile
    }
    call.environment = &environment;
    const auto root = out_.host().process_root(process);
    ServicePlace place;
    if (root) {
      place.files = root->get();
    } else {
      place.files_error = root.error();
    }
    Row row = out_.row();
    set_identity(row, process, place);
    set_service(out_, row, call, place);
  }

  TableReader& out_;
  const ProcessFacts& facts_;
  const Accounts& accounts_;
  std::string host_namespace_;
};

void read_ai_services(TableReader& out) { RunningServices(out).read(); }

}  // namespace

Probe ai_services_probe() {
  return {{"ai_services",
           "Running model servers, notebooks and their kin, one row a server process, with what their command line, "
           "environment and configuration say. What a unit would start is in ai_service_units, what really listens in "
           "listening_sockets.",
           service_columns(), TableCost::kFast, TableLane::kProcesses},
          &read_ai_services};
}

}  // namespace gpuharden
