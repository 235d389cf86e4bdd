// SPDX-License-Identifier: GPL-2.0-or-later
// The model servers and their kin that systemd would start, with the settings they would have.
#include <algorithm>
#include <array>

#include "checks/accounts/accounts.h"
#include "checks/process/ai_services.h"
#include "checks/services/service_rows.h"
#include "checks/systemd/command_expansion.h"
#include "checks/systemd/unit_command.h"
#include "checks/systemd/unit_environments.h"
#include "engine/base/text.h"

namespace gpuharden {
namespace {

// Programs that run another one, which stands behind their own options.
constexpr std::array<std::string_view, 17> kWrappers = {"env",  "nice",    "ionice",  "numactl", "taskset", "stdbuf",
                                                        "chrt", "setpriv", "runuser", "sudo",    "uv",      "conda",
                                                        "time", "timeout", "nohup",   "exec",    "setsid"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

const AiService* service_of(const std::vector<std::string>& words) {
  return words.empty() ? nullptr : find_service({"", words[0], words});
}

bool is_wrapper(std::string_view word) {
  return std::find(kWrappers.begin(), kWrappers.end(), base_name(word)) != kWrappers.end();
}

// "sh -c 'cd /srv && exec vllm serve …'": the words behind the last operator, variables replaced as
// far as the unit sets them.
std::vector<std::string> shell_words(const std::vector<std::string>& words, const UnitEnvironment& environment) {
  const auto shell = base_name(words[0]);
  if (shell != "sh" && shell != "bash" && shell != "dash") return words;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    if (!words[i].starts_with('-') || words[i].starts_with("--") || !words[i].ends_with('c')) continue;
    auto inner = split_unit_words(words[i + 1]);
    const auto last = std::find_if(inner.rbegin(), inner.rend(), [](const std::string& word) {
      return word == "&&" || word == "||" || word.ends_with(";") || word == "|";
    });
    inner.erase(inner.begin(), last.base());
    return expand_command({"", std::move(inner)}, environment).words;
  }
  return words;
}

struct PlainCommand {
  std::vector<std::string> words;                             // without the wrappers
  std::vector<std::pair<std::string, std::string>> assigned;  // by "env A=b" or "A=b command"
};

bool runs_server(const std::vector<std::string>& words) { return service_call(service_of(words), words).has_value(); }

PlainCommand without_wrappers(std::vector<std::string> words, const UnitEnvironment& environment) {
  constexpr std::size_t kMaxWrapperWords = 40;
  PlainCommand out;
  if (words.empty()) return out;
  words = shell_words(words, environment);
  bool is_wrapped = false;
  for (std::size_t i = 0; i < std::min(words.size(), kMaxWrapperWords); ++i) {
    const auto equals = words[i].find('=');
    if (equals != std::string::npos && is_variable_name(words[i].substr(0, equals))) {
      out.assigned.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
      continue;
    }
    out.words.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
    if (runs_server(out.words)) return out;
    is_wrapped = is_wrapped || is_wrapper(words[i]);
    if (!is_wrapped) break;
  }
  out.words.clear();
  return out;
}

class ServiceUnits {
 public:
  explicit ServiceUnits(TableReader& out)
      : out_(out),
        environments_(unit_environments(out.host(), out.shared())),
        accounts_(out.shared().get<Accounts>(out.host(), &read_accounts)) {}

  void read() {
    const UnitSet& units = unit_set(out_.host(), out_.shared());
    for (const auto& gap : units.gaps) out_.gap("*", "*", gap.error);
    for (const auto& gap : environments_.gaps) out_.gap("*", "*", gap.error);
    for (const auto& unit : units.units) {
      if (unit.type != "service" || !unit.alias_of.empty()) continue;
      for (const auto* setting : settings_of(unit, "Service", "ExecStart")) add(unit, *setting);
    }
  }

 private:
  static ServiceEnvironment environment_of(const UnitEnvironment& unit, const PlainCommand& command) {
    ServiceEnvironment out;
    for (const auto& variable : unit.variables) {
      if (!variable.is_effective) continue;
      if (variable.kind == UnitVariableKind::kPass) {
        out.unread.emplace(variable.name,
                           Error{ErrorCode::kUnsupported, concat({variable.file, ": PassEnvironment=", variable.name,
                                                                  " takes a value that no file holds"})});
      } else if (variable.kind != UnitVariableKind::kUnset) {
        out.variables[variable.name] = {variable.value, variable.file, variable.line};
      }
    }
    for (const auto& [name, value] : command.assigned) out.variables[name] = {value, {}, 0};
    for (const auto& gap : unit.gaps) out.error = gap.error;
    return out;
  }

  ServicePlace place_of(const Unit& unit) const {
    ServicePlace place;
    place.files = &out_.files();
    const auto name = user_of(unit);
    for (const auto& user : accounts_.users) {
      if (user.name != name && std::to_string(user.uid) != name) continue;
      place.uid = user.uid;
      place.home = user.home;
      return place;
    }
    return place;
  }

  static std::string user_of(const Unit& unit) {
    const auto user = setting_of(unit, "Service", "User");
    return user.empty() ? "root" : std::string(user);
  }

  void add(const Unit& unit, const UnitSetting& setting) {
    const auto command = parse_unit_command(setting.value);
    if (command.words.empty()) return;
    const auto environment = environments_.of(unit.name);
    const auto expanded = expand_command(command, environment);
    const auto plain = without_wrappers(expanded.words, environment);
    if (plain.words.empty()) return;
    auto variables = environment_of(environment, plain);
    for (const auto& name : expanded.unread) variables.error = variables.doubt(name);
    auto call = service_call(service_of(plain.words), plain.words);
    if (!call) return;
    call->environment = &variables;
    Row row = out_.row();
    row.set("source", "unit")
        .set("unit", unit.name)
        .set("state", unit.state)
        .set("startable", unit.is_startable)
        .set("host_network", !is_true_word(setting_of(unit, "Service", "PrivateNetwork")))
        .set("exe", executable_of(out_.files(), command))
        .set("file", setting.source->path)
        .set("line", setting.line);
    const bool is_dynamic = is_true_word(setting_of(unit, "Service", "DynamicUser"));
    if (!is_dynamic || !setting_of(unit, "Service", "User").empty()) row.set("user", user_of(unit));
    set_service(out_, row, *call, place_of(unit));
  }

  TableReader& out_;
  const UnitEnvironments& environments_;
  const Accounts& accounts_;
};

void read_ai_service_units(TableReader& out) { ServiceUnits(out).read(); }

}  // namespace

Probe ai_service_units_probe() {
  return {{"ai_service_units",
           "Model servers, notebooks and their kin that units would start, one row a command, with what its options, "
           "environment (systemd's precedence) and configuration files say.",
           service_columns(), TableCost::kFast, TableLane::kServices},
          &read_ai_service_units};
}

}  // namespace gpuharden
