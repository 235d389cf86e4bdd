// SPDX-License-Identifier: GPL-2.0-or-later
// The environment of processes that use GPUs or serve models: what is loaded into them, and from where.
#include <algorithm>

#include "checks/process/ai_services.h"
#include "checks/process/environment_variables.h"
#include "checks/process/process_facts.h"
#include "checks/system/redaction.h"
#include "engine/base/text.h"
#include "engine/host/path_trust.h"
#include "engine/scan/probe.h"

namespace gpuharden {
namespace {

constexpr std::size_t kEnvironmentCap = std::size_t{4} << 20U;
constexpr std::size_t kMaxPaths = 256;  // of one variable

constexpr Column kColumns[] = {
    {"pid", ColumnType::kInteger, "process id", ColumnFlag::kKey | ColumnFlag::kNotNull},
    {"process", ColumnType::kText, "command name"},
    {"uid", ColumnType::kInteger, "the process's effective user id"},
    {"unit", ColumnType::kText, "its systemd service or scope"},
    {"container", ColumnType::kText, "its container id"},
    {"gpu_handles", ColumnType::kInteger, "how many GPU nodes it holds open"},
    {"name", ColumnType::kText, "the variable", ColumnFlag::kNotNull},
    {"kind", ColumnType::kText,
     "injection: names code that is loaded. search: folders where code is looked for. cache: folders of compiled code "
     "or "
     "pipes. setting: switches. credential: a secret",
     ColumnFlag::kNotNull},
    {"value", ColumnType::kText, "its value; credentials are redacted", ColumnFlag::kNotNull | ColumnFlag::kSecret},
    {"path_value", ColumnType::kText, "one path of the value, a row each; NULL where the value is no path"},
    {"path_is_relative", ColumnType::kBoolean,
     "1 for an empty or relative path: it means the folder the process is in"},
    {"path_exists", ColumnType::kBoolean, "whether the path is there, in the process's own root"},
    {"path_changeable_by", ColumnType::kText,
     "who else than root and the process's user can change the path, or could make it; NULL when nobody"},
};

struct EnvironmentProcess {
  ProcessId id = 0;
  std::optional<std::string> name;
  std::optional<std::uint32_t> uid;
  ProcessGroup group;
  std::optional<std::int64_t> gpu_handles;
};

class EnvironmentReader {
 public:
  explicit EnvironmentReader(TableReader& out)
      : out_(out), facts_(out.shared().get<ProcessFacts>(out.host(), &read_process_facts)) {}

  void read() {
    if (facts_.list_error()) out_.gap(*facts_.list_error());
    const auto& holders = facts_.gpu_holders();
    if (facts_.handles_error()) {
      out_.gap("*", "*",
               {facts_.handles_error()->code,
                concat({facts_.handles_error()->message, ": whether ", std::to_string(facts_.unread_holders().size()),
                        " processes use a GPU is not known"})});
    }
    for (const auto process : facts_.processes()) {
      const auto holder = std::lower_bound(holders.begin(), holders.end(), std::pair(process, std::size_t{0}));
      const bool uses_gpu = holder != holders.end() && holder->first == process;
      if (uses_gpu || is_service(process)) read_process(process, uses_gpu ? holder->second : 0);
    }
  }

 private:
  bool is_service(ProcessId process) const {
    ProcessIdentity identity;
    if (auto name = facts_.name(process)) identity.name = *name;
    if (auto executable = facts_.executable(process)) identity.executable = *executable;
    if (auto arguments = facts_.arguments(process)) identity.arguments = std::move(*arguments);
    const auto* service = find_service(identity);
    return service != nullptr && service->kind != "control";
  }

  void read_process(ProcessId id, std::size_t gpu_handles) {
    const auto file = out_.files().read(concat({"/proc/", std::to_string(id), "/environ"}), kEnvironmentCap);
    if (!file) {
      if (file.error().code != ErrorCode::kNotFound) out_.gap(std::to_string(id), "*", file.error());
      return;
    }
    if (file->truncated)
      out_.gap(std::to_string(id), "*", {ErrorCode::kTooLarge, "environment too large, its end was not read"});
    EnvironmentProcess process{id, {}, {}, {}, static_cast<std::int64_t>(gpu_handles)};
    if (auto name = facts_.name(id)) process.name = *name;
    if (const auto& status = facts_.status(id)) process.uid = status->uid;
    if (const auto& group = facts_.group(id)) process.group = *group;
    const auto root = out_.host().process_root(id);
    for (const auto entry : split(file->bytes, '\0')) {
      const auto equals = entry.find('=');
      if (equals == std::string_view::npos || equals == 0) continue;
      add_variable(process, root, entry.substr(0, equals), entry.substr(equals + 1));
    }
  }

  using Root = Result<std::shared_ptr<const Files>>;

  void add_variable(const EnvironmentProcess& process, const Root& root, std::string_view name,
                    std::string_view value) {
    const auto* variable = find_variable(name);
    if (variable == nullptr) return;
    auto paths = paths_of(*variable, name, value);
    if (paths.size() > kMaxPaths) {
      out_.gap(std::to_string(process.id), "path_value", {ErrorCode::kTooLarge, concat({name, ": too many paths"})});
      paths.resize(kMaxPaths);
    }
    if (paths.empty()) add_row(process, *variable, name, value, root, std::nullopt);
    for (const auto& path : paths) add_row(process, *variable, name, value, root, path);
  }

  void add_row(const EnvironmentProcess& process, const VariableOfInterest& variable, std::string_view name,
               std::string_view value, const Root& root, const std::optional<std::string>& path) {
    auto row = out_.row();
    row.set("pid", process.id)
        .set("process", process.name)
        .set("uid", process.uid)
        .set("unit", process.group.unit)
        .set("container", process.group.container)
        .set("gpu_handles", process.gpu_handles)
        .set("name", name)
        .set("kind", to_string(variable.kind))
        .set("value", redact_value(name, value))
        .set("path_value", path);
    if (!path) return;
    const bool is_relative = !path->starts_with("/");
    row.set("path_is_relative", is_relative);
    if (is_relative || !out_.wants("path_changeable_by") || (!root && root.error().code == ErrorCode::kNotFound))
      return;
    if (root) {
      set_trust(row, **root, *path, process.uid);
    } else {
      row.unread("path_exists", root.error()).unread("path_changeable_by", root.error());
    }
  }

  // What is not there yet can be made by whoever can change the folder where it would be.
  static void set_trust(Row& row, const Files& root, std::string path, std::optional<std::uint32_t> uid) {
    auto changeable = changeable_by_others(root, path, uid);
    const bool exists = changeable || changeable.error().code != ErrorCode::kNotFound;
    while (!changeable && changeable.error().code == ErrorCode::kNotFound && path.size() > 1) {
      path.resize(std::max<std::size_t>(path.rfind('/'), 1));
      changeable = changeable_by_others(root, path, uid);
    }
    if (changeable) {
      row.set("path_exists", exists).set("path_changeable_by", *changeable);
    } else {
      row.unread("path_exists", changeable.error()).unread("path_changeable_by", changeable.error());
    }
  }

  TableReader& out_;
  const ProcessFacts& facts_;
};

void read_process_environment(TableReader& out) { EnvironmentReader(out).read(); }

}  // namespace

Probe process_environment_probe() {
  return {{"process_environment",
           "Variables that matter, of processes that hold a GPU open or serve models, from /proc/PID/environ: the "
           "environment "
           "at the start of the program. One row a variable and path.",
           kColumns, TableCost::kFast, TableLane::kProcesses},
          &read_process_environment};
}

}  // namespace gpuharden
